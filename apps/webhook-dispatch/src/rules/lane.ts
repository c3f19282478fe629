/** Why deliveries of a webhook may be sent now. */
export type LaneKind =
  /** Closed circuit. */
  | 'regular'
  /** Recovering circuit: deliveries that became due after the recovery. */
  | 'fresh'
  /** Recovering circuit: deliveries that became due before, sent at a limited rate. */
  | 'backlog'
  /** Open circuit: one delivery that tries the receiver. */
  | 'trial';

/** Deliveries of one webhook that are due, in the order in which they are. */
export interface Lane {
  kind: LaneKind;
  webhookId: string;
  orgId: string;
  host: string;
  /** Number of due deliveries, counted up to a limit. */
  due: number;
}

/** Number of deliveries of a lane that may be claimed. */
export interface Grant {
  kind: LaneKind;
  webhookId: string;
  slots: number;
}
