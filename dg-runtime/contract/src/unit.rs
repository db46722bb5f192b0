//! The generated code for one shape and order.

use std::sync::{Mutex, PoisonError};

use crate::geometry::{self, Map};
use crate::reference::Operators;
use crate::{Shape, Static, Storage};

/// The code of a law for one shape and order. Its text joins the scheme, the law's physics and the tables of shape and
/// order when it is compiled; these are the compiler's data on it.
#[derive(Clone, Debug)]
pub struct Unit<S: Storage = Static> {
    /// Shape of the elements.
    pub shape: Shape,
    /// Polynomial degree.
    pub order: usize,
    /// The largest degree in the mesh: see [`Operators::mesh_order`].
    pub mesh_order: usize,
    /// The degree of the cells in files: see [`Operators::sample_order`].
    pub sample_order: usize,
    /// Number of basis functions, which are orthogonal; those of lower orders come first.
    pub basis: usize,
    /// The length of an element's traces, where a schedule keeps them.
    pub traces: usize,
    /// Numbers per component that a moment limiter reads of an element.
    pub moments: usize,
    /// Work and traffic of the kernels of steps, for every number of coefficients of a field of the medium: see [`Unit::cost`].
    pub costs: S::List<KernelCost>,
}

/// How the generated code keeps the medium in an element: the fields that are the same in the whole domain are variables of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptMedium {
    /// The numbers of the fields that are constant in every element, but not the same in all, in ascending order: each has one coefficient.
    pub constant: Vec<usize>,
    /// Those of the fields that vary within elements.
    pub varying: Vec<usize>,
    /// Coefficients of each of these in an element; 1 where there are none.
    pub basis: usize,
}

impl KeptMedium {
    /// The medium of a law that has none, or one that is the same in the whole domain.
    pub const NOTHING: Self = Self { constant: Vec::new(), varying: Vec::new(), basis: 1 };

    /// Whether a field is the same in the whole domain.
    pub fn is_uniform(&self, field: usize) -> bool {
        !self.constant.contains(&field) && !self.varying.contains(&field)
    }
}

/// Work and least traffic of a kernel for one element, counted by the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelCost {
    /// The kernel.
    pub name: &'static str,
    /// Coefficients of a field of the medium that varies, in an element; 1 if the law has no medium.
    pub medium_basis: usize,
    /// What it costs without a field that varies.
    pub cost: Cost,
    /// What each of these fields adds.
    pub of_field: Cost,
}

/// Work and least traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Floating-point operations, each `+ - * /`, comparison-free function and root counted as one.
    pub flops: usize,
    /// Reals that it must read or write at least once.
    pub reals: usize,
    /// Integers (32 bits) that it must read or write at least once.
    pub integers: usize,
}

/// The reference element of a unit: its operators, and the positions among them as plain lists.
#[derive(Debug)]
pub struct Reference {
    /// The tables.
    pub operators: Operators,
    /// Reference positions at which the scheme evaluates an element, `[point][dim]`: those of the faces, face by face, then
    /// those of the volume.
    pub points: Vec<f64>,
    /// Reference positions at which `sample` evaluates, `[point][dim]`: Lagrange nodes of degree `sample_order` in
    /// VTK's order for the Lagrange cell of this shape.
    pub sample_points: Vec<f64>,
    /// Values of the basis functions there, `[point][basis function]`.
    pub basis_at_samples: Vec<f64>,
}

impl Unit {
    /// Work and traffic of a kernel for a law with so many components, in a medium that is kept so and on elements with such maps; `None` for
    /// a kernel that is not counted: those of the first step and of predictors are on affine elements alone.
    pub fn cost(&self, kernel: &str, medium: &KeptMedium, map: Map, components: usize) -> Option<Cost> {
        let affine = self.affine_cost(kernel, medium)?;
        if map == Map::Affine {
            return Some(affine);
        }
        match kernel {
            "stage" => {
                let added = geometry::cost_of_stage(&self.reference().operators, map, components);
                Some(Cost {
                    flops: affine.flops + added.flops,
                    reals: affine.reals + added.reals,
                    integers: affine.integers + added.integers,
                })
            }
            "time_step" | "predict" => None,
            _ => Some(affine),
        }
    }

    /// The same on affine elements.
    pub fn affine_cost(&self, kernel: &str, medium: &KeptMedium) -> Option<Cost> {
        let with = |basis| self.costs.iter().find(|cost| cost.name == kernel && cost.medium_basis == basis);
        let KernelCost { cost, of_field: varying, .. } = with(medium.basis)?;
        let of_constants = |of: fn(&Cost) -> usize| match medium.constant.len() {
            0 => Some(0),
            fields => Some(fields * of(&with(1)?.of_field)),
        };
        let sum = |of: fn(&Cost) -> usize| Some(of(cost) + medium.varying.len() * of(varying) + of_constants(of)?);
        Some(Cost {
            flops: sum(|cost| cost.flops)?,
            reals: sum(|cost| cost.reals)?,
            integers: sum(|cost| cost.integers)?,
        })
    }

    /// Its reference element, which is computed once.
    ///
    /// # Panics
    /// Where there is no quadrature for the order. The compiler makes no such unit.
    pub fn reference(&self) -> &'static Reference {
        static KNOWN: Mutex<Vec<&'static Reference>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let degrees = [self.order, self.mesh_order, self.sample_order];
        let is_this = |of: &Operators| of.shape == self.shape && [of.order, of.mesh_order, of.sample_order] == degrees;
        if let Some(found) = known.iter().find(|reference| is_this(&reference.operators)) {
            return found;
        }
        let operators = Operators::on_mesh(self.shape, self.order, self.mesh_order, self.sample_order);
        let operators = operators.unwrap_or_else(|error| panic!("{error}"));
        let made: &'static Reference = Box::leak(Box::new(Reference::new(operators)));
        known.push(made);
        made
    }
}

impl Unit {
    /// The same on a mesh with solutions of degrees up to `mesh_order` and sides of degrees up to `map_degree`, made once. Its costs
    /// stay those with the points on faces of its own degree, so that it takes at least as much.
    pub fn on_mesh(&'static self, mesh_order: usize, map_degree: usize) -> &'static Self {
        static KNOWN: Mutex<Vec<(&'static Unit, &'static Unit)>> = Mutex::new(Vec::new());
        let (mesh_order, sample_order) = (mesh_order.max(self.mesh_order), mesh_order.max(map_degree));
        let sample_order = sample_order.max(self.sample_order);
        if (mesh_order, sample_order) == (self.mesh_order, self.sample_order) {
            return self;
        }
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let is_this = |made: &Self| (made.mesh_order, made.sample_order) == (mesh_order, sample_order);
        let found = known.iter().find(|(of, made)| std::ptr::eq(*of, self) && is_this(made));
        if let Some((_, made)) = found {
            return made;
        }
        let traces = self.traces / (self.order + 1) * (mesh_order + 1);
        let made: &'static Self = Box::leak(Box::new(Self { mesh_order, sample_order, traces, ..self.clone() }));
        known.push((self, made));
        made
    }
}

impl Reference {
    fn new(operators: Operators) -> Self {
        Self {
            points: [operators.face_positions.concat(), operators.volume_points.clone()].concat().concat(),
            sample_points: operators.sample_points.concat(),
            basis_at_samples: operators.basis_at_sample.concat(),
            operators,
        }
    }
}
