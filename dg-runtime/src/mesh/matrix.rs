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

/// The same to the last digits, by Newton's method X ← X + X (1 - A X) with exact products in the residual.
pub(super) fn exact_inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut x = inverse(matrix.to_owned());
    for _ in 0..2 {
        let residual = |i: usize, j: usize| {
            let products = (0..n).map(|k| (-matrix[i][k], x[k][j]));
            sum_of_products(f64::from(u8::from(i == j)), products)
        };
        let residuals: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| residual(i, j)).collect()).collect();
        let correction = |i: usize, j: usize| (0..n).map(|k| x[i][k] * residuals[k][j]).sum::<f64>();
        let corrections: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| correction(i, j)).collect()).collect();
        x.iter_mut().flatten().zip(corrections.iter().flatten()).for_each(|(x, by)| *x += by);
    }
    x
}

/// A sum as if it were taken with twice as many digits: T. Ogita, S. M. Rump & S. Oishi, SIAM J. Sci. Comput. 26 (2005) 1955-1988, algorithm 5.3.
pub(super) fn sum_of_products(start: f64, products: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (sum, lost) = products.fold((start, 0.0), |(sum, lost), (a, b)| {
        let product = a * b;
        let of_product = a.mul_add(b, -product);
        let next = sum + product;
        let part = next - sum;
        let of_sum = (sum - (next - part)) + (product - part);
        (next, lost + (of_product + of_sum))
    });
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the nodes 0 to 8 and their powers: the rows of the inverse hold the coefficients of Lagrange's polynomials, which are 1 at their own
    /// node and 0 at all others.
    #[test]
    fn an_exact_inverse_has_all_digits() {
        let power = |x: usize, i: usize| (x as f64 - 4.0).powi(i as i32);
        let matrix: Vec<Vec<f64>> = (0..9).map(|x| (0..9).map(|i| power(x, i)).collect()).collect();
        let inverse = exact_inverse(&matrix);
        // The highest coefficient of polynomial j is 1 / prod_k (j - k).
        for (j, highest) in inverse[8].iter().enumerate() {
            let product: f64 = (0..9).filter(|&k| k != j).map(|k| j as f64 - k as f64).product();
            assert!((highest * product - 1.0).abs() < 4e-16, "{j}: {highest:e}");
        }
    }
}
