/// A shallow layer of a conducting fluid with a magnetic field in its plane, such as the solar tachocline.
///
/// ```text
/// ∂h/∂t + ∇·(hv) = 0,   ∂(hv)/∂t + ∇·(hv⊗v − hB⊗B + ½gh² I) = 0,   ∂(hB)/∂t + ∇·(v⊗hB − hB⊗v) = 0
/// ```
///
/// * h: depth, v: velocity, B: magnetic field in units of velocity, g: gravity
///
/// The flux of hB normal to a face vanishes there, so that one eigenvalue is 0.
/// References: P. A. Gilman, Astrophys. J. 544 (2000) L79–L82, <https://doi.org/10.1086/317291>; H. De Sterck, Phys. Plasmas 8
/// (2001) 3293–3304, <https://doi.org/10.1063/1.1379045>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod shallow_water_mhd {
    #[parameters]
    pub struct Star {
        /// Gravity.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub g: f64,
    }

    #[state]
    pub struct State {
        /// Depth.
        pub h: f64,
        /// Depth times velocity in x.
        pub h_v1: f64,
        /// Depth times velocity in y.
        pub h_v2: f64,
        /// Depth times field in x.
        pub h_b1: f64,
        /// Depth times field in y.
        pub h_b2: f64,
    }

    pub fn flux(u: State, star: Star) -> [State; 2] {
        let (v1, v2) = (u.h_v1 / u.h, u.h_v2 / u.h);
        let (b1, b2) = (u.h_b1 / u.h, u.h_b2 / u.h);
        let p = 0.5 * star.g * u.h * u.h;
        let stress = u.h_v1 * v2 - u.h_b1 * b2;
        let induced = u.h_b2 * v1 - u.h_b1 * v2;
        [
            State { h: u.h_v1, h_v1: u.h_v1 * v1 - u.h_b1 * b1 + p, h_v2: stress, h_b1: 0.0, h_b2: induced },
            State { h: u.h_v2, h_v1: stress, h_v2: u.h_v2 * v2 - u.h_b2 * b2 + p, h_b1: -induced, h_b2: 0.0 },
        ]
    }

    /// Magnetogravity waves, Alfvén waves, and the field normal to the face.
    pub fn eigenvalues(u: State, n: Normal, star: Star) -> [f64; 5] {
        let vn = (u.h_v1 * n.x + u.h_v2 * n.y) / u.h;
        let bn = (u.h_b1 * n.x + u.h_b2 * n.y) / u.h;
        let c = (bn * bn + star.g * u.h).sqrt();
        [vn - c, vn - bn, 0.0, vn + bn, vn + c]
    }

    #[admissible]
    pub fn covered(u: State) -> [f64; 1] {
        [u.h]
    }

    /// A wave of Alfvén that runs along the field.
    #[exact]
    pub fn alfven_wave(x: Point, t: f64) -> State {
        let transverse = 0.5 * (x.x - t).sin();
        State { h: 1.0, h_v1: 0.0, h_v2: -transverse, h_b1: 1.0, h_b2: transverse }
    }

    #[boundary(impermeable = h)]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.h_v1 * n.x + u.h_v2 * n.y;
        let b = u.h_b1 * n.x + u.h_b2 * n.y;
        State {
            h: u.h,
            h_v1: u.h_v1 - 2.0 * m * n.x,
            h_v2: u.h_v2 - 2.0 * m * n.y,
            h_b1: u.h_b1 - 2.0 * b * n.x,
            h_b2: u.h_b2 - 2.0 * b * n.y,
        }
    }
}
