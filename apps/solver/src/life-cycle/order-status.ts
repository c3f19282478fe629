/**
 * `SEEN`: to be filled · `FILLING`: fill recorded · `FILLED`: fill final, claim due · `CLAIMING`: claim recorded ·
 * `CLAIMED`: paid by the escrow · `DECLINED`: not filled by us · `LOST`: filled by us, but refunded or missing on its
 * chain · `GONE`: removed by a reorg of the origin.
 */
export type SolverOrderStatus =
  'SEEN' | 'FILLING' | 'FILLED' | 'CLAIMING' | 'CLAIMED' | 'DECLINED' | 'LOST' | 'GONE';
