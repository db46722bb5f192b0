//! Conservation laws that come with Rankine, one file each.

// A file holds one `pub mod` of its own name, under the attribute, which is what users see.
#[path = "acoustics.rs"]
mod acoustics_law;
#[path = "advection_diffusion.rs"]
mod advection_diffusion_law;
#[path = "advection.rs"]
mod advection_law;
#[path = "anisotropic_elastic.rs"]
mod anisotropic_elastic_law;
#[path = "aw_rascle_zhang.rs"]
mod aw_rascle_zhang_law;
#[path = "baer_nunziato.rs"]
mod baer_nunziato_law;
#[path = "buckley_leverett.rs"]
mod buckley_leverett_law;
#[path = "burgers.rs"]
mod burgers_law;
#[path = "elastic.rs"]
mod elastic_law;
#[path = "elastic_velocity_stress.rs"]
mod elastic_velocity_stress_law;
#[path = "euler_gravity.rs"]
mod euler_gravity_law;
#[path = "euler.rs"]
mod euler_law;
#[path = "layers.rs"]
mod layers_helpers;
#[path = "lighthill_whitham_richards.rs"]
mod lighthill_whitham_richards_law;
#[path = "linearised_euler.rs"]
mod linearised_euler_law;
#[path = "material.rs"]
mod material_helpers;
#[path = "maxwell_te.rs"]
mod maxwell_te_law;
#[path = "maxwell_tm.rs"]
mod maxwell_tm_law;
#[path = "mhd.rs"]
mod mhd_law;
#[path = "navier_stokes.rs"]
mod navier_stokes_law;
#[path = "relativistic_gas.rs"]
mod relativistic_gas_law;
#[path = "ringleb.rs"]
mod ringleb_law;
#[path = "shallow_water.rs"]
mod shallow_water_law;
#[path = "ten_moment.rs"]
mod ten_moment_law;
#[path = "transport.rs"]
mod transport_law;
#[path = "two_layer_shallow_water.rs"]
mod two_layer_shallow_water_law;
#[path = "viscous_burgers.rs"]
mod viscous_burgers_law;
#[path = "viscous_shallow_water.rs"]
mod viscous_shallow_water_law;

pub use acoustics_law::acoustics;
pub use advection_diffusion_law::advection_diffusion;
pub use advection_law::advection;
pub use anisotropic_elastic_law::anisotropic_elastic;
pub use aw_rascle_zhang_law::aw_rascle_zhang;
pub use baer_nunziato_law::baer_nunziato;
pub use buckley_leverett_law::buckley_leverett;
pub use burgers_law::burgers;
pub use elastic_law::elastic;
pub use elastic_velocity_stress_law::elastic_velocity_stress;
pub use euler_gravity_law::euler_gravity;
pub use euler_law::euler;
pub use layers_helpers::layers;
pub use lighthill_whitham_richards_law::lighthill_whitham_richards;
pub use linearised_euler_law::linearised_euler;
pub use material_helpers::material;
pub use maxwell_te_law::maxwell_te;
pub use maxwell_tm_law::maxwell_tm;
pub use mhd_law::mhd;
pub use navier_stokes_law::navier_stokes;
pub use relativistic_gas_law::relativistic_gas;
pub use ringleb_law::ringleb;
pub use shallow_water_law::shallow_water;
pub use ten_moment_law::ten_moment;
pub use transport_law::transport;
pub use two_layer_shallow_water_law::two_layer_shallow_water;
pub use viscous_burgers_law::viscous_burgers;
pub use viscous_shallow_water_law::viscous_shallow_water;

/// All of them.
pub static LAWS: &[&dg_runtime::law::Law] = &[
    &acoustics::LAW,
    &advection::LAW,
    &advection_diffusion::LAW,
    &anisotropic_elastic::LAW,
    &aw_rascle_zhang::LAW,
    &baer_nunziato::LAW,
    &buckley_leverett::LAW,
    &burgers::LAW,
    &elastic::LAW,
    &elastic_velocity_stress::LAW,
    &euler::LAW,
    &euler_gravity::LAW,
    &lighthill_whitham_richards::LAW,
    &linearised_euler::LAW,
    &maxwell_te::LAW,
    &maxwell_tm::LAW,
    &mhd::LAW,
    &navier_stokes::LAW,
    &relativistic_gas::LAW,
    &ringleb::LAW,
    &shallow_water::LAW,
    &ten_moment::LAW,
    &transport::LAW,
    &two_layer_shallow_water::LAW,
    &viscous_burgers::LAW,
    &viscous_shallow_water::LAW,
];

#[cfg(test)]
mod tests {
    use dg_runtime::law::{Arguments, Parameter, Role};

    use super::*;

    #[test]
    fn host_functions_take_their_arguments_by_type() {
        let value = |of: &Parameter| if of.name == "gamma" { 1.5 } else { of.default.unwrap() };
        let parameters: Vec<_> = euler::LAW.parameters.iter().map(value).collect();
        let arguments = Arguments {
            parameters: &parameters,
            state: &[1.0, 2.0, 3.0, 10.0],
            right: &[1.0, 2.0, 3.0, 10.0],
            normal: &[0.6, 0.8],
            position: &[0.0, 1.2],
            time: 0.0,
        };
        let call = |name| {
            let function = euler::LAW.functions.iter().find(|function| function.name == name).unwrap();
            let mut value = vec![0.0; function.results];
            function.host.unwrap()(&arguments, &mut value);
            value
        };
        let p = 0.5 * (10.0 - 0.5 * 13.0);
        assert_eq!(call("pressure"), [p]);
        assert_eq!(call("flux"), [2.0, 4.0 + p, 6.0, (10.0 + p) * 2.0, 3.0, 6.0, 9.0 + p, (10.0 + p) * 3.0]);
        let wall = call("slip_wall");
        assert!((wall[1] * 0.6 + wall[2] * 0.8 + 3.6).abs() < 1e-14, "{wall:?}");
    }

    #[test]
    fn every_law_has_a_doc_comment_and_its_roles_in_source_order() {
        for law in LAWS {
            assert!(law.doc.contains("/∂t"), "{}", law.name);
            let roles: Vec<_> = law.functions.iter().map(|function| function.role).collect();
            let waves = |role: &Role| [Role::Eigenvalues, Role::WaveSpeed].contains(role);
            match &roles[..] {
                [Role::Flux, second, ..] if waves(second) => {}
                [Role::Flux, Role::Nonconservative | Role::ViscousFlux, third, ..] if waves(third) => {}
                [Role::Flux, Role::Nonconservative, Role::Jump, fourth, ..] if waves(fourth) => {}
                _ => panic!("{}: {roles:?}", law.name),
            }
        }
    }
}
