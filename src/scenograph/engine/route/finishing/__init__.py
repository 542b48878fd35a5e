"""The finished line: on sharp lines, from outline to outline, with gaps for texts."""
