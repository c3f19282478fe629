import { messagingFixture, type MessagingFixture } from '@bascule/messaging-testing';
import { ServiceContext } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProjectionBuilder } from './projection-builder.js';

describe('ProjectionBuilder', () => {
  let fixture: MessagingFixture;
  beforeAll(async () => {
    fixture = await messagingFixture('builder_test');
  });
  afterAll(() => fixture.close());

  it('backs off between attempts of a failing build', async () => {
    const context = new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' });
    const readAt: number[] = [];
    new ProjectionBuilder({
      sources: [{ topic: 'things', tables: ['things'], revision: 1 }],
      dataSource: fixture.dataSource,
      transport: {
        read: () => {
          readAt.push(performance.now());
          return Promise.reject(new Error('the topic ends in the middle'));
        },
      },
      context,
      apply: () => Promise.resolve(),
      concurrency: 1,
      windowSize: 1,
      pollMs: 20,
      leaseMs: 60_000,
    }).start();
    await eventually(() => {
      expect(readAt.length).toBeGreaterThanOrEqual(6);
    });
    await context.shutdown.run(5_000);
    // 20 ms, doubled five times.
    const [fifth = 0, sixth = 0] = readAt.slice(4);
    expect(sixth - fifth).toBeGreaterThanOrEqual(600);
  });
});
