// Patterns of the times that exist: no format of JSON Schema allows a date as well as a time to the minute.
const YEAR = '(000[1-9]|00[1-9]\\d|0[1-9]\\d{2}|[1-9]\\d{3})';
const LEAP_YEAR = '(\\d{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)';
const DAY_OF_ANY_YEAR =
  '((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))';

/** Day of the years 1 to 9999. */
export const DAY = `(${YEAR}-${DAY_OF_ANY_YEAR}|${LEAP_YEAR}-02-29)`;

export const HOUR_AND_MINUTE = '([01]\\d|2[0-3]):[0-5]\\d';
