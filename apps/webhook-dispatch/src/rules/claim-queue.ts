/** Why deliveries of a webhook may be sent now. */
export type ClaimKind =
  /** Closed circuit. */
  | 'regular'
  /** Recovering circuit: deliveries that became due after the recovery. */
  | 'fresh'
  /** Recovering circuit: deliveries that became due before, sent at a limited rate. */
  | 'backlog'
  /** Open circuit: one delivery that tries the receiver. */
  | 'trial';

/** Deliveries of one webhook that are due, in the order in which they are. */
export interface ClaimQueue {
  kind: ClaimKind;
  webhookId: string;
  orgId: string;
  host: string;
  /** Number of due deliveries, counted up to a limit. */
  due: number;
}

/** Number of deliveries of a queue that may be claimed. */
export interface Grant {
  kind: ClaimKind;
  webhookId: string;
  slots: number;
}
