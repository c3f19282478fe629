/**
 * SQL expression on `payments`: 1 for one that expired unfunded, else 0; the same text as in the indexes of the
 * history. Compared with a constant, it leaves the order of an index as it is.
 */
export const EXPIRED_UNFUNDED = `(CASE WHEN status = 'EXPIRED' AND NOT funded THEN 1 ELSE 0 END)`;
