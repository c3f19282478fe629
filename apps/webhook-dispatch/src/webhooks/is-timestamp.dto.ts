import { ValidateBy } from 'class-validator';

const TIMESTAMP =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Unambiguous time: an ISO 8601 date, or date and time with an offset. */
export const IsTimestamp = (): PropertyDecorator =>
  ValidateBy({
    name: 'isIso8601',
    validator: {
      validate: (value) =>
        typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
      defaultMessage: () => '$property must be an ISO 8601 date, or date and time with its offset',
    },
  });
