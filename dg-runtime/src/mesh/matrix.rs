//! Small matrices.

/// The inverse of a regular matrix, by Gauss–Jordan elimination with row exchanges.
pub(crate) fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs())).unwrap_or(column);
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = 1.0 / matrix[column][column];
        matrix[column].iter_mut().chain(&mut inverse[column]).for_each(|x| *x *= scale);
        let (of_matrix, of_inverse) = (matrix[column].clone(), inverse[column].clone());
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row][column];
            matrix[row].iter_mut().zip(&of_matrix).for_each(|(x, y)| *x -= factor * y);
            inverse[row].iter_mut().zip(&of_inverse).for_each(|(x, y)| *x -= factor * y);
        }
    }
    inverse
}
