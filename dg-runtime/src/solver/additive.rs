//! Additive Runge–Kutta methods: stages whose flux is explicit and whose source is implicit.

/// The most residuals and changes by the source that a method keeps in a step.
pub(super) const MOST: usize = 6;

/// A method as the halves of its stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Additive {
    /// If later halves read the source at the start of the step: the γ of its change L_1 = γ Δt S(uⁿ), which is found before all halves.
    pub at_start: Option<f64>,
    /// The implicit halves, one after each explicit one. The last one is the solution at the end of the step.
    pub halves: &'static [ImplicitStage],
}

/// The implicit half of a stage: with the residuals K_j = Δt R(U_j) of the flux and the changes L_j = γ_j Δt S(U_j) by the source,
///
/// U = uⁿ + Σ_j (a_j K_j + b_j L_j) + L,  L = γ Δt S(U, t + c Δt).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitStage {
    /// Weights of the residuals of this and earlier explicit halves.
    pub a: [f64; MOST],
    /// Weights of the changes by earlier implicit halves, after that at the start if there is one.
    pub b: [f64; MOST],
    /// The part of the step that this half takes implicitly; 0 where it only gathers what others have found.
    pub gamma: f64,
    /// Time of the stage, in steps after the start of the step.
    pub c: f64,
}

impl Additive {
    /// How many changes by the source are kept for later halves.
    pub(super) fn changes(&self) -> usize {
        usize::from(self.at_start.is_some()) + self.halves.len() - 1
    }
}

const fn half<const A: usize, const B: usize>(a: [f64; A], b: [f64; B], gamma: f64, c: f64) -> ImplicitStage {
    ImplicitStage { a: filled(a), b: filled(b), gamma, c }
}

/// Numbers, and zeros after them.
const fn filled<const N: usize>(numbers: [f64; N]) -> [f64; MOST] {
    let (mut all, mut i) = ([0.0; MOST], 0);
    while i < N {
        all[i] = numbers[i];
        i += 1;
    }
    all
}

/// ARS(4,4,3): order 3, L-stable in the source, and the last stage is the result, so that a stiff source is in equilibrium at the end of
/// every step (U. M. Ascher, S. J. Ruuth & R. J. Spiteri, Appl. Numer. Math. 25 (1997) 151–167, section 2.8).
pub(super) const ARS_443: Additive = Additive {
    at_start: None,
    halves: &[
        half([0.5], [], 0.5, 0.5),
        half([11.0 / 18.0, 1.0 / 18.0], [1.0 / 3.0], 0.5, 2.0 / 3.0),
        half([5.0 / 6.0, -5.0 / 6.0, 0.5], [-1.0, 1.0], 0.5, 0.5),
        half([0.25, 1.75, 0.75, -1.75], [3.0, -3.0, 1.0], 0.5, 1.0),
    ],
};

/// ARK4(3)6L\[2\]SA: order 4, L-stable in the source, of which each stage is of order 2 (C. A. Kennedy & M. H. Carpenter, Appl. Numer.
/// Math. 44 (2003) 139–181, <https://doi.org/10.1016/S0168-9274(02)00138-1>, appendix C). Weights of changes are the entries of the implicit
/// table over γ = ¼.
pub(super) const ARK_436: Additive = Additive {
    at_start: Some(0.25),
    halves: &[
        half([0.5], [1.0], 0.25, 0.5),
        half(
            [13_861.0 / 62_500.0, 6_889.0 / 62_500.0],
            [4.0 * 8_611.0 / 62_500.0, -4.0 * 1_743.0 / 31_250.0],
            0.25,
            83.0 / 250.0,
        ),
        half(
            [
                -116_923_316_275.0 / 2_393_684_061_468.0,
                -2_731_218_467_317.0 / 15_368_042_101_831.0,
                9_408_046_702_089.0 / 11_113_171_139_209.0,
            ],
            [4.0 * 5_012_029.0 / 34_652_500.0, -4.0 * 654_441.0 / 2_922_500.0, 4.0 * 174_375.0 / 388_108.0],
            0.25,
            31.0 / 50.0,
        ),
        half(
            [
                -451_086_348_788.0 / 2_902_428_689_909.0,
                -2_682_348_792_572.0 / 7_519_795_681_897.0,
                12_662_868_775_082.0 / 11_960_479_115_383.0,
                3_355_817_975_965.0 / 11_060_851_509_271.0,
            ],
            [
                4.0 * 15_267_082_809.0 / 155_376_265_600.0,
                -4.0 * 71_443_401.0 / 120_774_400.0,
                4.0 * 730_878_875.0 / 902_184_768.0,
                4.0 * 2_285_395.0 / 8_070_912.0,
            ],
            0.25,
            17.0 / 20.0,
        ),
        half(
            [
                647_845_179_188.0 / 3_216_320_057_751.0,
                73_281_519_250.0 / 8_382_639_484_533.0,
                552_539_513_391.0 / 3_454_668_386_233.0,
                3_354_512_671_639.0 / 8_306_763_924_573.0,
                4_040.0 / 17_871.0,
            ],
            [4.0 * WEIGHTS_436[0], 0.0, 4.0 * WEIGHTS_436[2], 4.0 * WEIGHTS_436[3], 4.0 * WEIGHTS_436[4]],
            0.25,
            1.0,
        ),
        // The source's change is that of the last stage, the flux's is not.
        ImplicitStage { a: WEIGHTS_436, b: times_four(WEIGHTS_436), gamma: 0.0, c: 1.0 },
    ],
};

const WEIGHTS_436: [f64; MOST] =
    [82_889.0 / 524_892.0, 0.0, 15_625.0 / 83_664.0, 69_875.0 / 102_672.0, -2_260.0 / 8_211.0, 0.25];

const fn times_four(mut numbers: [f64; MOST]) -> [f64; MOST] {
    let mut i = 0;
    while i < MOST {
        numbers[i] *= 4.0;
        i += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    const METHODS: [(Additive, u8); 2] = [(ARS_443, 3), (ARK_436, 4)];

    /// One step of u' = f(u, t) + s(u, t), as in the kernels, with s linear in u: s = slope u + rest(t).
    fn step(
        method: &Additive,
        u_start: f64,
        t: f64,
        dt: f64,
        f: impl Fn(f64, f64) -> f64,
        slope: f64,
        rest: impl Fn(f64) -> f64,
    ) -> f64 {
        let (mut u, mut c, mut residuals) = (u_start, 0.0, [0.0; MOST]);
        let mut changes: Vec<f64> =
            method.at_start.iter().map(|gamma| gamma * dt * (slope * u_start + rest(t))).collect();
        for (i, half) in method.halves.iter().enumerate() {
            residuals[i] = dt * f(u, t + c * dt);
            let sum = |weights: &[f64], values: &[f64]| weights.iter().zip(values).map(|(w, v)| w * v).sum::<f64>();
            let known = u_start + sum(&half.a, &residuals) + sum(&half.b, &changes);
            c = half.c;
            let part = half.gamma * dt;
            u = (known + part * rest(t + c * dt)) / (1.0 - part * slope);
            changes.push(u - known);
        }
        u
    }

    type Matrix = Vec<Vec<f64>>;

    /// The explicit and the implicit table, with the weights as the last row of each.
    fn tables(method: &Additive) -> [Matrix; 2] {
        let gammas: Vec<f64> = method.at_start.into_iter().chain(method.halves.iter().map(|half| half.gamma)).collect();
        // Without a change at the start, the first is that of the second stage.
        let shift = usize::from(method.at_start.is_none());
        let last_is_result = method.halves.last().unwrap().gamma > 0.0;
        let stages = method.halves.len() + usize::from(last_is_result);
        let mut tables = [vec![vec![0.0; stages]], vec![vec![0.0; stages]]];
        for (i, half) in method.halves.iter().enumerate() {
            let (mut explicit, mut implicit) = (vec![0.0; stages], vec![0.0; stages]);
            explicit.iter_mut().zip(half.a).for_each(|(entry, a)| *entry = a);
            implicit.iter_mut().skip(shift).zip(half.b.iter().zip(&gammas)).for_each(|(entry, (b, g))| *entry = b * g);
            if half.gamma > 0.0 {
                implicit[i + 1] = half.gamma;
            }
            tables[0].push(explicit);
            tables[1].push(implicit);
        }
        if last_is_result {
            // The result is the last stage, whose row stands for the weights, too.
            tables.iter_mut().for_each(|table| table.push(table.last().unwrap().clone()));
        }
        tables
    }

    fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
        matrix.iter().map(|row| row.iter().zip(vector).map(|(a, v)| a * v).sum()).collect()
    }

    /// Conditions for all trees of up to four nodes, each node of the flux or of the source (Kennedy & Carpenter 2003, section 2.1).
    #[test]
    fn order_conditions_of_both_tables_and_between_them_hold() {
        for (method, order) in METHODS {
            let tables = tables(&method);
            let stages = tables[0].len() - 1;
            let each = [0, 1];
            let (rows, weights) = (|k: usize| &tables[k][..stages], |k: usize| &tables[k][stages]);
            let c = times(rows(0), &vec![1.0; stages]);
            for (i, other) in times(rows(1), &vec![1.0; stages]).iter().enumerate() {
                let taken = if i == 0 { 0.0 } else { method.halves[i - 1].c };
                assert!((c[i] - other).abs() < 2e-12 && (c[i] - taken).abs() < 2e-12, "stage {i}: {}, {other}", c[i]);
            }
            let powers = |k: i32| c.iter().map(|c| c.powi(k)).collect::<Vec<_>>();
            let by = |v: Vec<f64>| v.iter().zip(&c).map(|(v, c)| v * c).collect::<Vec<_>>();
            for w in each {
                let holds = |v: &[f64], expected: f64, needs: u8| {
                    let found: f64 = weights(w).iter().zip(v).map(|(w, v)| w * v).sum();
                    assert!(needs > order || (found - expected).abs() < 2e-12, "order {needs}: {found}, {expected}");
                };
                for k in 0..4 {
                    holds(&powers(k), 1.0 / f64::from(k + 1), k as u8 + 1);
                }
                for k in each {
                    holds(&times(rows(k), &c), 1.0 / 6.0, 3);
                    holds(&by(times(rows(k), &c)), 1.0 / 8.0, 4);
                    holds(&times(rows(k), &powers(2)), 1.0 / 12.0, 4);
                    for l in each {
                        holds(&times(rows(k), &times(rows(l), &c)), 1.0 / 24.0, 4);
                    }
                }
            }
        }
    }

    /// The rate at which errors of u = sin(t) + 2 fall, where u' = cos(t) is split in a nonlinear explicit and a linear implicit part.
    #[test]
    fn each_has_its_order_where_both_parts_matter() {
        for (method, order) in METHODS {
            let error = |steps: usize, explicit: f64, slope: f64| {
                let dt = 1.0 / steps as f64;
                let exact = |t: f64| t.sin() + 2.0;
                let end = (0..steps).fold(exact(0.0), |u, i| {
                    let f = |u: f64, t: f64| explicit * (u * u - exact(t) * exact(t)) + 0.25 * t.cos();
                    step(&method, u, i as f64 * dt, dt, f, slope, |t| 0.75 * t.cos() - slope * exact(t))
                });
                (end - exact(1.0)).abs()
            };
            for (explicit, slope) in [(0.5, -2.0), (0.0, -2.0), (0.5, 0.0), (-0.3, 1.0)] {
                let rate = (error(40, explicit, slope) / error(80, explicit, slope)).log2();
                assert!((rate - f64::from(order)).abs() < 0.15, "order {order}, {explicit}, {slope}: {rate}");
            }
        }
    }

    #[test]
    fn a_stiff_source_is_in_equilibrium_after_each_step() {
        let u = step(&ARS_443, 1.0, 0.0, 0.1, |_, _| 1.0, -1e9, |t| 1e9 * t.cos());
        assert!((u - 0.1_f64.cos()).abs() < 1e-7, "{u}");
    }

    /// What is far from equilibrium reaches it in a step, up to what the flux adds at its end.
    #[test]
    fn a_stiff_source_forgets_where_it_began() {
        for (method, _) in METHODS {
            let [a, b] = [0.0, 1e3].map(|start| step(&method, start, 0.0, 0.1, |_, _| 1.0, -1e9, |t| 1e9 * t.cos()));
            assert!((a - b).abs() < 1e-4, "{a}, {b}");
        }
    }
}
