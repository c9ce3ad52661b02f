"""The figures of a text: numbers, quantities, money, dates, times and identifiers, with values."""
