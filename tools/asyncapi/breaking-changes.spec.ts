import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { breakingChanges, type Description } from './breaking-changes.js';
import { DESCRIPTION, descriptionText, RELEASED } from './description.js';
import type { JsonSchema } from './schema-shapes.js';

const read = (file: string): Description => JSON.parse(readFileSync(file, 'utf8')) as Description;

type Change = (description: Description) => void;

/** Problems that the check finds in a change of the description. */
function problemsOf(change: Change): string[] {
  const changed = read(DESCRIPTION);
  change(changed);
  return breakingChanges(read(DESCRIPTION), changed);
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('Expected the description to have it.');
  return value;
}
const schema = ({ components }: Description, name: string): JsonSchema =>
  found(components.schemas[name]);
const field = (description: Description, name: string, key: string): JsonSchema =>
  found(schema(description, name).properties?.[key]);
const fields = (description: Description, name: string): Record<string, JsonSchema> =>
  found(schema(description, name).properties);
const quotedOf = (description: Description): Record<string, JsonSchema> =>
  found(found(field(description, 'PaymentState', 'payment').properties?.quoted).properties);
const without = (values: readonly string[] | undefined, value: string): string[] =>
  found(values).filter((each) => each !== value);

/** Replaces a field's schema by another one. */
const replaced =
  (name: string, key: string, by: JsonSchema): Change =>
  (description) => {
    fields(description, name)[key] = by;
  };

const BREAKING: [string, Change, string][] = [
  [
    'a removed field',
    (all) => delete fields(all, 'PriceState').usd,
    'price.observed.data.usd: the field was removed',
  ],
  [
    'a removed field that may be absent',
    (all) => delete fields(all, 'FulfilledStep').transaction_hash,
    'transaction_hash: the field was removed',
  ],
  [
    'a changed pattern',
    (all) => void (schema(all, 'EvmAddress').pattern = '^0x[0-9a-f]{40}$'),
    'pattern ^0x[0-9a-fA-F]{40}$ was changed or removed',
  ],
  [
    'a field that became optional',
    (all) => {
      schema(all, 'PriceState').required = without(schema(all, 'PriceState').required, 'usd');
    },
    'price.observed.data.usd: the field became optional',
  ],
  [
    'a changed type',
    replaced('PriceState', 'usd', { type: 'number' }),
    'price.observed.data.usd: the type string became number',
  ],
  [
    'a type that may be null',
    replaced('PriceState', 'usd', { type: ['string', 'null'] }),
    'price.observed.data.usd: the type string became null or string',
  ],
  [
    'a narrowed type',
    replaced('WithdrawalState', 'transaction_hash', { type: 'string' }),
    'data.transaction_hash: the type null or string became string',
  ],
  [
    'a string that became an enumeration',
    replaced('PriceState', 'usd', { type: 'string', enum: ['1'] }),
    'price.observed.data.usd: any value was possible, now only some are',
  ],
  [
    'an enumeration that became any string',
    (all) => delete schema(all, 'PaymentStatus').enum,
    'data.payment.status: only some values were possible, now any is',
  ],
  [
    'a removed value of an enumeration',
    (all) => {
      const status = schema(all, 'PaymentStatus');
      status.enum = status.enum?.filter((value) => value !== 'TAINTED');
    },
    'data.payment.status: the value "TAINTED" was removed',
  ],
  [
    'other elements of a list',
    replaced('PriceState', 'sources', { type: 'array', items: { type: 'number' } }),
    'price.observed.data.sources[]: the type string became number',
  ],
  [
    'a removed alternative',
    (all) => {
      const issue = schema(all, 'Issue');
      issue.anyOf = issue.anyOf?.filter(({ $ref }) => !$ref?.endsWith('/KycIssue'));
    },
    'payment.confirmed.data.payment.issues[].kind: the value "kyc" was removed',
  ],
  [
    'an alternative that no field tells apart',
    (all) => {
      const asset = field(all, 'AssetState', 'asset');
      asset.anyOf = [...found(asset.anyOf), { type: 'object', properties: { x: {} } }];
    },
    'asset.listed.data.asset: an alternative was added that no field tells apart',
  ],
  [
    'a changed format',
    (all) => {
      delete field(all, 'price.observed', 'id').format;
    },
    'price.observed.id: format uuid was changed or removed',
  ],
  [
    'a removed event',
    (all) => delete all.channels.payment?.messages['payment.tainted'],
    'payment.tainted: the event was removed from payment',
  ],
  ['a removed topic', (all) => delete all.channels.price, 'price: the channel was removed'],
  [
    'a topic with another name',
    (all) => {
      found(all.channels.price).address = 'bascule.prices';
    },
    'price: the address changed',
  ],
  [
    'a removed header of records',
    (all) => delete fields(all, 'EventHeaders').traceparent,
    'price.observed headers.traceparent: the field was removed',
  ],
  [
    'a removed field of a webhook',
    (all) => delete fields(all, 'WORKFLOW_FAILED').event,
    'WORKFLOW_FAILED.event: the field was removed; receivers see no version',
  ],
];

const ALLOWED: [string, Change][] = [
  ['nothing', () => undefined],
  ['a new text', (all) => void (schema(all, 'PriceState').description = 'Another text.')],
  ['an optional field', replaced('PriceState', 'volume', { type: 'string' })],
  [
    'a required field',
    (all) => {
      fields(all, 'PriceState').volume = { type: 'string' };
      schema(all, 'PriceState').required?.push('volume');
    },
  ],
  ['a value of an enumeration', (all) => schema(all, 'PaymentStatus').enum?.push('PAUSED')],
  [
    'an issue of a kind of its own',
    (all) =>
      schema(all, 'Issue').anyOf?.push({
        type: 'object',
        properties: { kind: { type: 'string', const: 'limit' } },
        required: ['kind'],
      }),
  ],
  ['a more exact format', (all) => void (schema(all, 'SmallestUnits').pattern = '^[0-9]+$')],
  [
    'an integer where any number was possible',
    (all) => void (quotedOf(all).latency_seconds = { type: 'integer' }),
  ],
  [
    'an event',
    (all) => {
      found(all.channels.price).messages['price.withdrawn'] = { $ref: '' };
    },
  ],
  [
    'any schema of a topic with a higher version',
    (all) => {
      found(all.channels.price)['x-schema-version'] = 2;
      delete fields(all, 'PriceState').usd;
    },
  ],
];

describe('a change of the described events', () => {
  it.each(BREAKING)('is refused: %s', (_, change, problem) => {
    expect(problemsOf(change)).toContainEqual(expect.stringContaining(problem));
  });

  it.each(ALLOWED)('is accepted: %s', (_, change) => {
    expect(problemsOf(change)).toEqual([]);
  });

  it('is refused when it lowers a schema version', () => {
    const change: Change = (all) => void (found(all.channels.price)['x-schema-version'] = 0);
    expect(problemsOf(change)).toEqual(['price: the schema version was lowered']);
  });

  it('does not break consumers of the released description', () => {
    expect(breakingChanges(read(RELEASED), read(DESCRIPTION))).toEqual([]);
  });
});

describe('the description of events and webhooks', () => {
  it('equals the code, as npm run asyncapi writes it', async () => {
    expect(readFileSync(DESCRIPTION, 'utf8')).toBe(await descriptionText());
  });
});
