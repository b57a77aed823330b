# Reads monthly values (series,market,month,value) from stdin, each series of one component. Writes a line for each month
# of a series, series and months ascending: series,month,price,deviation, what R's own functions make of it (lm).
rows <- read.csv(file("stdin"), colClasses = c("integer", "integer", "integer", "numeric"))

for (values in split(rows, rows$series)) {
  values$market <- factor(values$market)
  values$month <- factor(values$month)
  several <- c(market = nlevels(values$market) > 1, month = nlevels(values$month) > 1)
  fit <- lm(reformulate(c("1", names(several)[several]), quote(log(value))), data = values)
  effects <- dummy.coef(fit)
  of_market <- if (several["market"]) effects$market[as.character(values$market)] else 0
  of_month <- if (several["month"]) effects$month[levels(values$month)] else 0
  price <- exp(effects[["(Intercept)"]] + of_month + mean(of_market))
  deviation <- if (df.residual(fit) == 0) NA else sigma(fit)
  writeLines(sprintf("%d,%s,%.17g,%.17g", values$series[1], levels(values$month), price, deviation))
}
