//! Linear systems in double precision.

/// A solution of linear equations, each a row of coefficients and the right side, where unknowns that they leave free are 0; none if
/// they contradict each other. A pivot or a residual below `zero` is zero. By Gauss-Jordan elimination with complete pivoting.
pub fn solution(mut rows: Vec<Vec<f64>>, unknowns: usize, zero: f64) -> Option<Vec<f64>> {
    let mut pivots = Vec::new();
    for step in 0..unknowns.min(rows.len()) {
        let entries = (step..rows.len()).flat_map(|r| (0..unknowns).map(move |c| (r, c)));
        let (row, column) = entries.max_by(|&(r, c), &(s, d)| rows[r][c].abs().total_cmp(&rows[s][d].abs()))?;
        if rows[row][column].abs() < zero {
            break;
        }
        rows.swap(step, row);
        let pivot = rows[step].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != step) {
            let factor = row[column] / pivot[column];
            for (x, p) in row.iter_mut().zip(&pivot) {
                *x -= factor * p;
            }
        }
        pivots.push(column);
    }
    if rows[pivots.len()..].iter().any(|row| row[unknowns].abs() > zero) {
        return None;
    }
    let mut solution = vec![0.0; unknowns];
    for (row, &column) in rows.iter().zip(&pivots) {
        solution[column] = row[unknowns] / row[column];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::solution;

    #[test]
    fn systems_may_be_regular_underdetermined_or_contradictory() {
        // x + 2 y = 5, 3 x - y = 1.
        let regular = solution(vec![vec![1.0, 2.0, 5.0], vec![3.0, -1.0, 1.0]], 2, 1e-12).unwrap();
        assert!((regular[0] - 1.0).abs() < 1e-14 && (regular[1] - 2.0).abs() < 1e-14, "{regular:?}");
        assert_eq!(solution(vec![vec![0.0, 4.0, 2.0], vec![0.0, 2.0, 1.0]], 2, 1e-12), Some(vec![0.0, 0.5]));
        assert_eq!(solution(vec![vec![0.0, 4.0, 2.0], vec![0.0, 2.0, 2.0]], 2, 1e-12), None);
    }
}
