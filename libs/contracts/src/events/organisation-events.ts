import type { DecimalString } from '../http/wire.js';
import type { EventEnvelope, Versioned } from './envelope.js';

/** Maximum sum of the percentages of a revenue share on one chain. */
export const MAX_REVENUE_SHARE_PCT = '2.5';
/** Decimals of a percentage. */
export const PCT_DECIMALS = 4;

/** Name of an edge rule. */
export const EDGE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Receiver of a part of a revenue share on one chain. */
export interface RevenueShareReceiver {
  /** Name of the chain. */
  chain: string;
  /** Receiver's address on that chain, checksummed. */
  address: string;
  /** Percentage of a payment's input value. */
  pct: DecimalString;
}

/** Named shares of payments' input value that an organisation's partners receive. */
export interface RevenueShareState {
  /** Unique among the shares of the organisation. */
  name: string;
  /** Receivers on all chains. */
  receivers: RevenueShareReceiver[];
}

/** Settings that an operator made for an organisation; absent in the topic until the first one. */
export interface OrganisationState extends Versioned {
  /** Id of the organisation. */
  org_id: string;
  /** Enabled revenue shares. */
  revenue_shares: RevenueShareState[];
  /** Names of edge rules whose edges are open to the organisation. */
  opened_edges: string[];
  /** Origins (`https://host[:port]`) that a return link may redirect to by itself. */
  redirect_origins: string[];
}

export const ORGANISATION_EVENT_TYPES = ['organisation.configured'] as const;
export type OrganisationEvent = EventEnvelope<
  (typeof ORGANISATION_EVENT_TYPES)[number],
  OrganisationState
>;
