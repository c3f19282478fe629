import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EVENT_PUBLISHERS } from './event-publishers.js';
import { TOPICS } from './topics.js';

const APPS = path.resolve(import.meta.dirname, '../../../../apps');
const PUBLISHED = /\btopic: TOPICS\.(\w+)/g;

const isTest = (file: string): boolean => /spec\.ts$|\.fixture\.ts$|\/testing\//.test(file);

/** Names of the topics to which an app's sources publish. */
const publishedBy = (app: string): string[] =>
  globSync(`${app}/src/**/*.ts`, { cwd: APPS })
    .filter((file) => !isTest(file))
    .flatMap((file) => [...readFileSync(path.join(APPS, file), 'utf8').matchAll(PUBLISHED)])
    .map(([, topic = '']) => topic);

const publishers = (topic: string): string[] =>
  globSync('*', { cwd: APPS }).filter((app) => publishedBy(app).includes(topic));

const hasMessaging = (app: string): boolean =>
  globSync(`${app}/src/**/*.module.ts`, { cwd: APPS }).some((file) =>
    /MessagingModule\.\w+\(/.test(readFileSync(path.join(APPS, file), 'utf8')),
  );

describe('a topic’s table of publishers', () => {
  const topics = (Object.keys(TOPICS) as (keyof typeof TOPICS)[]).filter(
    (topic) => topic !== 'deadLetter',
  );

  it.each(topics)('names for %s the services whose sources name it', (topic) => {
    expect(publishers(topic)).toEqual(EVENT_PUBLISHERS[topic]);
  });

  it('names for dead letters all services that publish or handle events', () => {
    const services = globSync('*', { cwd: APPS }).filter(hasMessaging).sort();
    expect(services).toEqual(EVENT_PUBLISHERS.deadLetter);
  });
});
