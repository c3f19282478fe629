/** Faults of one order at a simulated party. */
export interface OrderFault {
  /** Webhooks are not sent, sent twice, sent in the wrong order, or signed by another key. */
  callbacks?: 'lost' | 'twice' | 'reversed' | 'forged';
  /** Share of the bought tokens that is sent; all by default. */
  deliverBps?: number;
  /** Amount of tokens that the API and the webhooks tell, whatever is sent. */
  toldAmount?: number;
  /** State after the money was taken, instead of a delivery. */
  endsAs?: string;
}
