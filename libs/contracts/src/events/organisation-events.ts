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

/** Limits on what an organisation's requests cost the deployment; where one is absent, the deployment's own holds. */
export interface OrganisationQuotas {
  /** Payments that wait for funds. */
  unfunded_payments?: number;
  /** Quotes of all keys together; counted by the gateway. */
  quotes_per_second?: number;
  /** Withdrawals that wait for their owner's signature. */
  unsigned_withdrawals?: number;
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
  /** Absent in events of older gateways, which had none. */
  quotas?: OrganisationQuotas;
}

export const ORGANISATION_EVENT_TYPES = ['organisation.configured'] as const;
export type OrganisationEvent = EventEnvelope<
  (typeof ORGANISATION_EVENT_TYPES)[number],
  OrganisationState
>;
