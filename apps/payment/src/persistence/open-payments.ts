import { OPEN_PAYMENT_STATUSES } from '@bascule/contracts';

const list = OPEN_PAYMENT_STATUSES.map((status) => `'${status}'`).join(', ');

/** SQL condition on `payments`, the same text as in the partial index `payments_open_idx`. */
export const IS_OPEN = `status IN (${list})`;

/** SQL condition on `payments`, the same text as in the partial index `payments_open_native_idx`. */
export const EXPECTS_NATIVE = `${IS_OPEN} AND plan #>> '{deposit,token}' LIKE '%:0x'`;

/** SQL condition on `payments`, the same text as in the partial index `payments_unfunded_idx`. */
export const IS_UNFUNDED = "status = 'PENDING' AND NOT funded";

/** SQL condition on `payments`: money that arrives may still fund it. */
export const IS_UNFUNDED_IN_FULL = `${IS_OPEN} AND funded_in_full_at IS NULL`;

/** SQL condition on `payments`, the same text as in the partial index `payments_unpublished_idx`. */
export const IS_UNPUBLISHED = 'published_version IS DISTINCT FROM version';
