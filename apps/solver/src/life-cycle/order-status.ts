/**
 * `SEEN`: will be filled · `FILLING`: a fill is recorded · `FILLED`: the fill is final, the input is to be claimed ·
 * `CLAIMING`: a claim is recorded · `CLAIMED`: we were paid · `DECLINED`: is not ours to fill · `LOST`: filled by us
 * and yet refunded, or never seen again on its chain · `GONE`: the origin chain forgot it.
 */
export type SolverOrderStatus =
  'SEEN' | 'FILLING' | 'FILLED' | 'CLAIMING' | 'CLAIMED' | 'DECLINED' | 'LOST' | 'GONE';
