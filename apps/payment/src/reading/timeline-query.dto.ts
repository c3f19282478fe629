import { IsUuid } from '@bascule/validation';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

const MAX_AT_ONCE = 500;
const DEFAULT_AT_ONCE = 100;
const MAX_SEQUENCE = 2 ** 31 - 1;

/** Digits of the query as a number; other values are left to the validators. */
const Digits = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value,
  );

export class TimelineQueryDto {
  /** Id of the payment. */
  @IsUuid()
  payment_id!: string;

  /** Largest number of entries in the page. */
  @Digits()
  @Max(MAX_AT_ONCE)
  @Min(1)
  @IsInt()
  limit: number = DEFAULT_AT_ONCE;

  /** `next_pagination_key` of the previous page. */
  @Digits()
  @Max(MAX_SEQUENCE)
  @Min(0)
  @IsInt()
  pagination_key: number = 0;
}
