// Types that the description is made of. Their doc comments are its texts.
import type {
  AssetState,
  BroadcastWithdrawal,
  ChainState,
  CountryRulesState,
  DeadLetterState,
  EventEnvelope,
  OrganisationState,
  PaymentState,
  PriceState,
  SanctionedParty,
  SwitchesState,
  VenueRatingState,
  WebhookDeliveryBody,
  WithdrawalState,
} from '@bascule/contracts';

/** CloudEvents 1.0 in JSON around a fact. */
export interface Envelope extends EventEnvelope {
  /** The whole public state of the subject after the fact. */
  data: object;
}

/** Content of each event; the doc comment says when it is published. */
export interface DescribedEvents {
  /** A chain is listed, or its facts changed. */
  'chain.listed': ChainState;
  /** An asset is listed, or its facts changed. */
  'asset.listed': AssetState;
  /** An asset can no longer be used in new quotes. */
  'asset.delisted': AssetState;
  /** A price moved, its time came to be published again, or its sources became unavailable. */
  'price.observed': PriceState;
  /** An operator changed settings of an organisation. */
  'organisation.configured': OrganisationState;
  /** An operator changed the places that the deployment serves. */
  'country_rules.changed': CountryRulesState;
  /** An operator paused or resumed a part of the service. */
  'switches.changed': SwitchesState;
  /** Conversions at a venue were measured: its rating changed. */
  'venue.rated': VenueRatingState;
  /** A payment is confirmed: it has its one-time wallet and waits for money. */
  'payment.confirmed': PaymentState;
  /** The money of a payment arrived. */
  'payment.funded': PaymentState;
  /** A payment changed in another way than the other events report. */
  'payment.updated': PaymentState;
  /** A payment is `COMPLETE`: the money arrived at its destination. */
  'payment.completed': PaymentState;
  /** A payment is `FAILED`; its owner can withdraw what is in the wallet. */
  'payment.failed': PaymentState;
  /** A payment is `EXPIRED`: its money did not arrive in time. */
  'payment.expired': PaymentState;
  /** A payment is `WITHDRAWN`: its owner took the money back. */
  'payment.withdrawn': PaymentState;
  /** A payment is `TAINTED`: screening refused an address, and no leg runs. */
  'payment.tainted': PaymentState;
  /** A withdrawal is prepared, and waits for the owner's signature. */
  'withdrawal.requested': WithdrawalState;
  /** The owner's signature is accepted, and a transaction is recorded. */
  'withdrawal.submitted': WithdrawalState;
  /** The withdrawal's transaction succeeded in a final block. */
  'withdrawal.succeeded': WithdrawalState;
  /** The withdrawal can no longer succeed. */
  'withdrawal.failed': WithdrawalState;
  /** The owner's authorization expired before it was used. */
  'withdrawal.expired': WithdrawalState;
  /** Screening of a withdrawal found the owner or the destination of the payment sanctioned. */
  'withdrawal.party_sanctioned': SanctionedParty;
  /** A node has accepted a transaction of a withdrawal: the first one, or one with a higher fee. */
  'withdrawal.broadcast': BroadcastWithdrawal;
  /** A service gave up on an event, which waits for an operator. */
  'dead-letter.recorded': DeadLetterState;
}

/** Headers of a record. */
export interface EventHeaders {
  /** Media type of the record's value. */
  'content-type': 'application/cloudevents+json; charset=utf-8';
  /**
   * W3C trace context of the request that led to the event; absent without a trace.
   * @example "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
   */
  traceparent?: string;
}

/** Headers of a delivery; besides, it has the `auth_header` that the webhook is configured with. */
export interface WebhookHeaders {
  /** Media type of the body. */
  'content-type': 'application/json';
  /**
   * Sender and its version.
   * @pattern ^Bascule-Webhooks/
   */
  'user-agent': string;
  /**
   * HMAC-SHA256 of the raw body, keyed with the signing secret as UTF-8; one entry per active secret.
   * @pattern ^v1=0x[0-9a-f]{64}(,v1=0x[0-9a-f]{64})*$
   */
  'x-service-signature': string;
  /** Id of the delivery, as in the body: the same on every attempt. */
  'webhook-id': string;
  /**
   * Time of the attempt, in unix seconds.
   * @pattern ^[0-9]+$
   */
  'webhook-timestamp': string;
  /**
   * Signature of Standard Webhooks over `webhook-id.webhook-timestamp.body`; one entry per active secret.
   * @pattern ^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$
   */
  'webhook-signature': string;
  /** W3C trace context of the payment's last request; absent without a trace. */
  traceparent?: string;
}

export type { WebhookDeliveryBody };
