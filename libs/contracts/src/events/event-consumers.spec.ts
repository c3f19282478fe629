import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesWithTypeErrors, replacing } from '../testing/compile.fixture.js';
import { CONSUMING_SERVICES, EVENT_CONSUMERS, isHandledBy } from './event-consumers.js';
import type { ConsumingService } from './event-consumers.js';
import { TOPICS } from './topics.js';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const TABLE = 'libs/contracts/src/events/event-consumers.ts';
const CATALOGUE = 'libs/contracts/src/events/catalogue-events.ts';

type Topic = keyof typeof TOPICS;
const TOPIC_NAMES = Object.keys(TOPICS) as Topic[];
const SUBSCRIPTION = /(?:EventPattern|ProjectionPattern)\b[^(]*\(\s*TOPICS\.(\w+)/g;

const SUBSCRIPTION_START = new RegExp(SUBSCRIPTION, '');

/** Sources of an app, and of the libs that it depends on, whose classes subscribe to topics. */
function consumersOf(app: string): string[] {
  const manifest = readFileSync(path.join(ROOT, 'apps', app, 'package.json'), 'utf8');
  const libs = readdirSync(path.join(ROOT, 'libs')).filter((lib) =>
    manifest.includes(`"@bascule/${lib}"`),
  );
  const folders = [`apps/${app}/src`, ...libs.map((lib) => `libs/${lib}/src`)];
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.consumer.ts`, { cwd: ROOT }))
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
}

const subscriptionsOf = (app: string): string[] =>
  [
    ...new Set(
      consumersOf(app).flatMap((text) =>
        [...text.matchAll(SUBSCRIPTION)].map(([, topic]) => topic),
      ),
    ),
  ]
    .filter((topic) => topic !== undefined)
    .sort();

const decisions: Readonly<Record<string, Readonly<Record<ConsumingService, string>>>> =
  EVENT_CONSUMERS;

const handledTopics = (service: ConsumingService): Topic[] =>
  TOPIC_NAMES.filter((topic) =>
    TOPICS[topic].schema.types.some((type) => decisions[type]?.[service] === 'handled'),
  ).sort();

describe('the consumers of events', () => {
  it.each(CONSUMING_SERVICES)(
    '%s subscribes to exactly the topics of the events it handles',
    (app) => {
      expect(subscriptionsOf(app)).toEqual(handledTopics(app));
    },
  );

  it('are all listed in the table', () => {
    const apps = readdirSync(path.join(ROOT, 'apps')).filter((app) =>
      existsSync(path.join(ROOT, 'apps', app, 'package.json')),
    );
    const subscribed = apps.filter((app) => subscriptionsOf(app).length > 0);
    expect(subscribed.sort()).toEqual([...CONSUMING_SERVICES]);
  });

  it('narrow an event to the types that the service handles', () => {
    expect(isHandledBy('quote', { type: 'asset.listed' })).toBe(true);
    expect(isHandledBy('quote', { type: 'chain.listed' })).toBe(false);
  });

  it('do not compile without a row for a new event', () => {
    const edits = {
      [CATALOGUE]: replacing("['chain.listed',", "['chain.delisted', 'chain.listed',"),
    };
    expect(filesWithTypeErrors([TABLE], edits)).toEqual([TABLE]);
  });

  it('do not compile while one service is missing from an event’s row', () => {
    const edits = {
      [TABLE]: replacing("'price.observed': PROJECTED_FOR_MONEY", "'price.observed': {}"),
    };
    expect(filesWithTypeErrors([TABLE], edits)).toEqual([TABLE]);
  });

  it('do not compile where a consumer takes an event that its service ignores', () => {
    const consumer = 'libs/catalogue-projection/src/catalogue.consumer.ts';
    const edits = {
      [consumer]: replacing('if (isHandledBy(service, event)) ', ''),
    };
    expect(filesWithTypeErrors([consumer], edits)).toEqual([consumer]);
  });

  it('do not compile where an event that they take has become ignored', () => {
    const consumers = [
      'apps/payment/src/withdrawals/withdrawal.consumer.ts',
      'apps/quote/src/payments/payment.consumer.ts',
      'apps/webhook-dispatch/src/enqueue/payment.consumer.ts',
      'apps/withdrawal/src/projections/payment.consumer.ts',
      'libs/catalogue-projection/src/price.consumer.ts',
    ];
    const ignoring = [
      replacing("'payment.tainted': ABOUT_PAYMENTS", "'payment.tainted': IGNORED"),
      replacing("'withdrawal.expired': ABOUT_WITHDRAWALS", "'withdrawal.expired': IGNORED"),
      replacing("'price.observed': PROJECTED_FOR_MONEY", "'price.observed': IGNORED"),
    ];
    const edits = { [TABLE]: (text: string) => ignoring.reduce((now, edit) => edit(now), text) };
    expect(filesWithTypeErrors(consumers, edits)).toEqual(consumers);
  });

  it('all ask the table', () => {
    const files = globSync('{apps,libs}/*/src/**/*.consumer.ts', { cwd: ROOT });
    const subscribed = files
      .map((file) => [file, readFileSync(path.join(ROOT, file), 'utf8')] as const)
      .filter(([, text]) => SUBSCRIPTION_START.test(text));
    expect(subscribed.length).toBeGreaterThan(4);
    const unasked = subscribed.filter(([, text]) => !/if \(!?isHandledBy\(/.test(text));
    expect(unasked.map(([file]) => file)).toEqual([]);
  });
});
