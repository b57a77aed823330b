import t from "tap";
import { dayText, firstDayOf, lastDayOf, monthNumber, monthText } from "../../../src/engine/model/calendar.ts";

t.test("every month of the calendar has a first and a last day, which the next month follows", async (t) => {
  const last = monthNumber("9999-12");
  t.equal(monthNumber("-000001-12"), -1);
  for (let month = -1; month <= last; month += 1) {
    if (dayText(firstDayOf(month)) !== `${monthText(month)}-01`) t.fail(monthText(month));
    if (month < last && lastDayOf(month) + 1 !== firstDayOf(month + 1)) t.fail(monthText(month));
  }
  t.equal(dayText(lastDayOf(last)), "9999-12-31");
  t.equal(dayText(lastDayOf(monthNumber("2024-02"))), "2024-02-29");
  t.equal(dayText(lastDayOf(monthNumber("1900-02"))), "1900-02-28");
});
