import { VENUE_NAMES } from '@bascule/contracts';
import { sensitive } from '@bascule/process';
import { makeExactValidator } from 'envalid';
import {
  AGGREGATOR_ADAPTERS,
  isAggregatorAdapter,
  type AggregatorAdapterName,
} from './aggregator-adapters.js';
import type { AggregatorConnection } from './aggregator-connection.js';

/** One configured aggregator. */
export interface AggregatorConfig extends AggregatorConnection {
  adapter: AggregatorAdapterName;
}

export type AggregatorsConfig = readonly AggregatorConfig[];

const TIMEOUT_MS = { default: 1_500, min: 100, max: 10_000 };
/** Questions that the quote of one conversion asks in turn: for its gas, for its output, and again to all nodes. */
const QUESTIONS_IN_TURN = 3;
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const OWN_NAMES: ReadonlySet<string> = new Set(VENUE_NAMES);

/**
 * Parses `AGGREGATORS`: a JSON array of `{name, adapter, base_url, api_key?, timeout_ms?}`. Messages never contain
 * values.
 */
export function parseAggregators(text: string): AggregatorsConfig {
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items)) throw new Error('expected a list of aggregators');
  const aggregators = items.map(parseAggregator);
  if (new Set(aggregators.map(({ name }) => name)).size < aggregators.length) {
    throw new Error('expected every aggregator once');
  }
  return aggregators;
}

function parseAggregator(item: unknown): AggregatorConfig {
  if (typeof item !== 'object' || item === null) {
    throw new Error('expected each aggregator as an object');
  }
  const fields = item as Record<string, unknown>;
  const { adapter } = fields;
  if (!isAggregatorAdapter(adapter)) {
    throw new Error(`expected adapter to be one of ${Object.keys(AGGREGATOR_ADAPTERS).join(', ')}`);
  }
  return {
    name: nameOf(fields),
    adapter,
    baseUrl: urlOf(fields),
    apiKey: keyOf(fields, AGGREGATOR_ADAPTERS[adapter].needsKey),
    timeoutMs: timeoutOf(fields),
  };
}

function nameOf({ name }: Record<string, unknown>): string {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new Error('expected name as at most 40 of a-z, 0-9 and _');
  }
  if (OWN_NAMES.has(name)) throw new Error('expected name to be none of a venue');
  return name;
}

function urlOf({ base_url: url }: Record<string, unknown>): string {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error('expected base_url as an http(s) URL');
  }
  return url;
}

function keyOf({ api_key: key }: Record<string, unknown>, isNeeded: boolean): string | undefined {
  if (key === undefined && !isNeeded) return undefined;
  if (typeof key !== 'string' || key === '') throw new Error('expected api_key');
  return key;
}

function timeoutOf({ timeout_ms: ms }: Record<string, unknown>): number {
  const { default: usual, min, max } = TIMEOUT_MS;
  if (ms === undefined) return usual;
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < min || ms > max) {
    throw new Error(`expected timeout_ms from ${min} to ${max}`);
  }
  return ms;
}

/** Names the aggregators that could hold up a quote, with those of other venues in it, beyond the time for a chain. */
export const tooSlowAggregators = (
  aggregators: AggregatorsConfig,
  chainTimeoutMs: number,
): string[] =>
  aggregators
    .filter(({ timeoutMs }) => timeoutMs * QUESTIONS_IN_TURN > chainTimeoutMs)
    .map(({ name }) => name);

/** Variables of every service that converts; quote and payment need the same value. */
export const aggregatorsEnv = {
  AGGREGATORS: sensitive(
    makeExactValidator<AggregatorsConfig>(parseAggregators)({
      default: [],
      desc: 'JSON array of {name, adapter, base_url, api_key?, timeout_ms?}',
    }),
  ),
};
