import { TOPICS } from '@bascule/contracts';
import { applyTopics } from '@bascule/messaging';
import { paymentService } from '@bascule/payment';
import { createServiceDatabase, runSql, testKafka, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runChecks } from '../run-checks.js';
import {
  changed,
  deploymentOf,
  environmentsWith,
  faultsOf,
  findingsOf,
  type Environments,
} from '../testing/deployment.fixture.js';
import { databases } from './databases.js';
import { topics } from './topics.js';

const NOWHERE = '127.0.0.1:9';

let service: ServiceDatabase;
let sound: Environments;

beforeAll(async () => {
  service = await createServiceDatabase('payment');
  const { payment = {} } = environmentsWith({ DATABASE_URL: service.database.url });
  sound = { payment };
});
afterAll(() => service.drop());

describe('the databases', () => {
  it('are found without the migrations of this version', async () => {
    expect(await faultsOf(databases, sound)).toEqual([
      expect.stringMatching(
        /^payment: missing: \d+ of \d+ migrations are pending, beginning with /,
      ),
    ]);
    await paymentService.migrate?.(paymentService.parseConfig(sound['payment'] ?? {}));
    const [finding] = await findingsOf(databases, sound);
    expect(finding).toMatchObject({ subject: 'payment', state: 'ok' });
    expect(finding?.found).toMatch(/^\d+ migrations$/);
  });

  it('are found where the server does not answer, or refuses the role, without the password', async () => {
    const refused = new URL(service.database.url);
    refused.password = 'password-of-nobody';
    const gone = new URL(service.database.url);
    gone.host = NOWHERE;
    const [[other = ''], [nobody = '']] = await Promise.all([
      faultsOf(databases, changed(sound, 'payment', { DATABASE_URL: refused.href })),
      faultsOf(databases, changed(sound, 'payment', { DATABASE_URL: gone.href })),
    ]);
    expect(other).toMatch(/^payment: wrong: .*authentication failed/);
    expect(other).not.toContain('password-of-nobody');
    expect(nobody).toBe(`payment: wrong: no answer from ${NOWHERE} (ECONNREFUSED)`);
  });

  it('are found where the direct connection does not work', async () => {
    const direct = new URL(service.database.url);
    direct.host = NOWHERE;
    const wrong = changed(sound, 'payment', { DATABASE_DIRECT_URL: direct.href });
    expect(await faultsOf(databases, wrong)).toEqual([
      expect.stringMatching(/^payment: wrong: .*127\.0\.0\.1:9/),
    ]);
  });
});

describe('the topics', () => {
  it('are those of this version in the event log of Postgres', async () => {
    expect(await faultsOf(topics, sound)).toEqual([]);
    const { name, partitions } = Object.values(TOPICS)[0] ?? { name: '', partitions: 0 };
    await runSql(
      service.adminUrl,
      `UPDATE event_log.topics SET partitions = 1 WHERE name = '${name}'`,
    );
    expect(await faultsOf(topics, sound)).toEqual([
      expect.stringMatching(`wrong: ${name}: needs to grow to ${partitions} partitions`),
    ]);
    await runSql(service.adminUrl, `DELETE FROM event_log.partitions WHERE topic = '${name}'`);
    await runSql(service.adminUrl, `DELETE FROM event_log.topics WHERE name = '${name}'`);
    expect(await faultsOf(topics, sound)).toEqual([
      expect.stringMatching(`missing: ${name}: needs to create with ${partitions} partitions`),
    ]);
  });

  it('are found with a clean-up policy that cannot be changed', async () => {
    const { name } = Object.values(TOPICS)[1] ?? { name: '' };
    await runSql(
      service.adminUrl,
      `UPDATE event_log.topics SET compacted = NOT compacted WHERE name = '${name}'`,
    );
    expect(await faultsOf(topics, sound)).toContainEqual(
      expect.stringMatching(`wrong: ${name}: the clean-up policy cannot change`),
    );
  });

  it('are those of this version in Kafka', async () => {
    const brokers = await testKafka();
    await applyTopics({ kafka: { brokers } });
    const withKafka = changed(sound, 'payment', { KAFKA_BROKERS: brokers.join(',') });
    const [finding] = await findingsOf(topics, withKafka);
    expect(finding).toMatchObject({ subject: `payment at ${brokers.join(', ')}`, state: 'ok' });
  }, 180_000);

  it('are unknown where no broker answers', async () => {
    const deployment = deploymentOf(changed(sound, 'payment', { KAFKA_BROKERS: NOWHERE }));
    const findings = await runChecks([topics], deployment);
    expect(findings.map(({ subject, state }) => [subject, state])).toEqual([
      [`payment at ${NOWHERE}`, 'unknown'],
    ]);
  });
});
