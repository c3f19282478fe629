/** Why deliveries of a webhook may be sent now. */
export type LaneKind =
  /** Its circuit is closed. */
  | 'regular'
  /** What has become due since its receiver came back. */
  | 'fresh'
  /** What had become due before: at a limited rate. */
  | 'backlog'
  /** One, to see whether its receiver is back. */
  | 'trial';

/** Deliveries of one webhook that are due, in the order in which they are. */
export interface Lane {
  kind: LaneKind;
  webhookId: string;
  orgId: string;
  host: string;
  /** How many are due, as far as it matters. */
  due: number;
}

/** So many deliveries of a lane may be claimed. */
export interface Grant {
  kind: LaneKind;
  webhookId: string;
  slots: number;
}
