import { isExistingTime } from '@bascule/contracts';
import { ValidateBy } from 'class-validator';

const HOUR_AND_MINUTE = '([01]\\d|2[0-3]):[0-5]\\d';
const TIMESTAMP = new RegExp(
  `^\\d{4}-\\d{2}-\\d{2}(T${HOUR_AND_MINUTE}(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]${HOUR_AND_MINUTE}))?$`,
);

/** Unambiguous time: an ISO 8601 date, or date and time with an offset. */
export const IsTimestamp = (): PropertyDecorator =>
  ValidateBy({
    name: 'isIso8601',
    validator: {
      validate: (value) =>
        typeof value === 'string' && TIMESTAMP.test(value) && isExistingTime(value),
      defaultMessage: () => '$property must be an ISO 8601 date, or date and time with its offset',
    },
  });
