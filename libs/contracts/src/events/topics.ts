import { CATALOGUE_EVENT_TYPES, PRICE_EVENT_TYPES } from './catalogue-events.js';
import { COUNTRY_RULES_EVENT_TYPES } from './country-rules-events.js';
import { DEAD_LETTER_EVENT_TYPES } from './dead-letter-events.js';
import { ORGANISATION_EVENT_TYPES } from './organisation-events.js';
import { PAYMENT_EVENT_TYPES } from './payment-events.js';
import { SWITCH_EVENT_TYPES } from './switch-events.js';
import { VENUE_EVENT_TYPES } from './venue-events.js';
import { WITHDRAWAL_EVENT_TYPES } from './withdrawal-events.js';

/** Compacted topics feed projections: the newest record of a key is kept forever. */
export type TopicCleanup =
  | {
      policy: 'compact';
      /** Time for which every record of a key stays readable. */
      minCompactionLagMs: number;
    }
  | { policy: 'delete'; retentionMs: number };

export interface TopicDefinition {
  name: string;
  /** Meaning of a record's key. */
  key: string;
  partitions: number;
  cleanup: TopicCleanup;
  /** Largest record; larger ones are neither published nor handled. */
  maxMessageBytes: number;
  /** Types of events, and the version of what they mean: within one, fields are only added. */
  schema: { version: number; types: readonly string[] };
}

const DAY_MS = 86_400_000;
const KIB = 1024;

const compacted = (
  name: string,
  key: string,
  partitions: number,
  types: readonly string[],
): TopicDefinition => ({
  name: `bascule.${name}`,
  key,
  partitions,
  cleanup: { policy: 'compact', minCompactionLagMs: 14 * DAY_MS },
  maxMessageBytes: 512 * KIB,
  schema: { version: 1, types },
});

/** All topics. */
export const TOPICS = {
  catalogue: compacted('catalogue', 'chain name or asset identifier', 4, CATALOGUE_EVENT_TYPES),
  price: compacted('price', 'asset identifier', 4, PRICE_EVENT_TYPES),
  organisation: compacted('organisation', 'organisation id', 4, ORGANISATION_EVENT_TYPES),
  countryRules: compacted('country-rules', 'country-rules', 1, COUNTRY_RULES_EVENT_TYPES),
  switches: compacted('switches', 'switches', 1, SWITCH_EVENT_TYPES),
  venues: compacted('venues', 'chain name and venue name', 1, VENUE_EVENT_TYPES),
  payment: compacted('payment', 'payment id', 12, PAYMENT_EVENT_TYPES),
  withdrawal: compacted(
    'withdrawal',
    'withdraw id; payment id of `withdrawal.party_sanctioned`',
    12,
    WITHDRAWAL_EVENT_TYPES,
  ),
  deadLetter: {
    name: 'bascule.dead-letter',
    key: 'service and id of the dead letter',
    partitions: 1,
    cleanup: { policy: 'delete', retentionMs: 30 * DAY_MS },
    maxMessageBytes: 64 * KIB,
    schema: { version: 1, types: DEAD_LETTER_EVENT_TYPES },
  },
} as const satisfies Record<string, TopicDefinition>;

/** `dataschema` of a topic's events. */
export const dataschemaOf = ({ name, schema }: TopicDefinition): string =>
  `bascule:${name}:${schema.version}`;
