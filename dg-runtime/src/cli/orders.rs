//! Lists of orders on the command line.

/// Reads `3`, `1,2,4`, `1..5` or `1-5`; a range includes both ends.
pub(super) fn parse(text: &str) -> Result<Orders, String> {
    let number = |text: &str| {
        let number = text.trim().parse::<u8>().map(usize::from);
        number.map_err(|_| format!("`{text}` is no order; write 1..5, 1,3 or 2"))
    };
    let range = text.split_once("..").or_else(|| text.split_once('-'));
    let orders = match range {
        Some((first, last)) => (number(first)?..=number(last.trim_start_matches('='))?).collect::<Vec<_>>(),
        None => text.split(',').map(number).collect::<Result<_, _>>()?,
    };
    if orders.is_empty() {
        Err(format!("`{text}` is empty; the first order is the lower one"))
    } else {
        Ok(Orders(orders))
    }
}

/// Orders in the given sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Orders(pub Vec<usize>);

/// Settings of a case file with this order instead of the file's: what the file says besides must suit it.
pub(super) fn with_order(settings: &[String], order: Option<usize>) -> Vec<String> {
    settings.iter().cloned().chain(order.map(|order| format!("order={order}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        for text in ["1..3", "1..=3", "1-3", "1,2,3"] {
            assert_eq!(parse(text), Ok(Orders(vec![1, 2, 3])), "{text}");
        }
        assert_eq!(parse("0"), Ok(Orders(vec![0])));
        assert!(parse("3..1").is_err_and(|message| message.contains("empty")));
        assert!(parse("a..3").is_err_and(|message| message.contains("`a` is no order")));
        assert!(parse("0..9999999999").is_err());
    }
}
