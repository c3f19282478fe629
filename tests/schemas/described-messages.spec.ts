import { describe, expect, it } from '@jest/globals';
import { EVENT_CONSUMERS, WEBHOOK_EVENT_TYPES } from '@bascule/contracts';
import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DescribedMessages } from './described-messages.js';

const text = readFileSync(new URL('../../docs/api/asyncapi.json', import.meta.url), 'utf8');
const messages = new DescribedMessages();

const envelope = {
  specversion: '1.0',
  id: '01936b5e-7d0a-7c4e-9b1c-0242ac120002',
  source: 'catalogue',
  type: 'price.observed',
  subject: 'eur',
  time: '2026-11-21T12:00:00.000Z',
  datacontenttype: 'application/json',
  dataschema: 'bascule:bascule.price:1',
  environment: 'test',
  data: {
    version: 1,
    asset: 'eur',
    usd: '1.16',
    observed_at: '2026-11-21T12:00:00.000Z',
    sources: ['ecb'],
  },
};
const problems = (event: object): string[] => messages.payloadProblems('price.observed', event);

/** Validates against the schema of AsyncAPI itself, which brings its own copy of JSON Schema. */
function isAsyncApi(description: object): boolean {
  const file = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json');
  const official = JSON.parse(readFileSync(file, 'utf8')) as object;
  const ajv = new Ajv({ strict: false, logger: false, meta: false, validateSchema: false });
  return ajv.compile(official)(description);
}

interface Part {
  properties?: Record<string, Part>;
  items?: Part;
  allOf?: { $ref: string }[];
  $ref?: string;
  description?: string;
}
const { components } = JSON.parse(text) as { components: { schemas: Record<string, Part> } };

/** Fields without a text of their own or of their type. */
function undescribed(place: string, part: Part): string[] {
  return Object.entries(part.properties ?? {}).flatMap(([name, field]) => {
    // A list is explained by its elements.
    const reference = field.$ref ?? field.items?.$ref;
    const target = components.schemas[reference?.split('/').at(-1) ?? ''];
    const isDescribed = (field.description ?? target?.description) !== undefined;
    return [
      ...(isDescribed ? [] : [`${place}.${name}`]),
      ...undescribed(`${place}.${name}`, field),
    ];
  });
}

describe('the AsyncAPI description', () => {
  it('is valid AsyncAPI 3', () => {
    const description = JSON.parse(text) as object;
    expect(isAsyncApi(description)).toBe(true);
    expect(isAsyncApi({ ...description, channels: { price: { address: 1 } } })).toBe(false);
  });

  it('has every event and every webhook', () => {
    expect(messages.types('events').sort()).toEqual(Object.keys(EVENT_CONSUMERS).sort());
    expect(messages.types('webhooks').sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
  });

  it.each([
    ...['EventHeaders', 'WebhookHeaders', 'WORKFLOW_COMPLETED', 'price.observed', 'ChainState'],
    ...['AssetState', 'PriceState', 'OrganisationState', 'RevenueShareState', 'CountryRulesState'],
    ...['SwitchesState', 'Pause', 'VenueRatingState'],
    ...['RevenueShareReceiver', 'WithdrawalState', 'DeadLetterState', 'IntentOrder', 'OrderBody'],
  ])('explains every field of %s', (name) => {
    const part = components.schemas[name];
    expect(part?.properties).toBeDefined();
    expect(undescribed(name, part ?? {})).toEqual([]);
  });
});

describe('the check of messages', () => {
  it('accepts an event as it is described', () => {
    expect(problems(envelope)).toEqual([]);
    expect(problems({ ...envelope, traceparent: '00-1-2-01' })).toEqual([]);
  });

  it.each([
    ['a missing field', { data: { ...envelope.data, usd: undefined } }, "'usd'"],
    ['a wrong type', { data: { ...envelope.data, usd: 1 } }, '/data/usd must be string'],
    ['an undescribed field', { data: { ...envelope.data, secret: 1 } }, '/data/secret is not'],
    ['another source', { source: 'payment' }, '/source must be equal to one of'],
    ['another schema version', { dataschema: 'bascule:bascule.price:2' }, '/dataschema must be'],
    ['a malformed id', { id: 'seven' }, '/id must match format'],
    ['a local time', { time: '2026-11-21 12:00' }, '/time must match format'],
  ])('reports %s', (_, change, problem) => {
    const event = JSON.parse(JSON.stringify({ ...envelope, ...change })) as object;
    expect(problems(event)).toEqual([expect.stringContaining(problem)]);
  });

  it('reports wrong headers, and accepts further ones', () => {
    const right = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
    const found = (headers: object) => messages.headerProblems('price.observed', headers);
    expect(found({ ...right, more: '1' })).toEqual([]);
    expect(found({})).toEqual([expect.stringContaining("'content-type'")]);
  });

  it('reports a type that is not described', () => {
    expect(messages.payloadProblems('price.lost', {})).toEqual(['price.lost is not described']);
  });
});
