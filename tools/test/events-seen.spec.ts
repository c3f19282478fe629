import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { describedEvents, unseenEvents } = (await import(
  `${import.meta.dirname}/events-seen.mjs`
)) as {
  describedEvents: () => string[];
  unseenEvents: (events: readonly string[], seen: string) => string[];
};

describe('the check that tests publish every event', () => {
  it('names those that no test published', () => {
    const seen = mkdtempSync(join(tmpdir(), 'events-seen-'));
    writeFileSync(join(seen, 'payment.confirmed'), '');
    expect(unseenEvents(['payment.confirmed', 'payment.failed'], seen)).toEqual(['payment.failed']);
    rmSync(seen, { recursive: true });
    expect(unseenEvents(['payment.confirmed'], seen)).toEqual(['payment.confirmed']);
  });

  it('asks for the events of topics, not for webhooks', () => {
    expect(describedEvents()).toContain('dead-letter.recorded');
    expect(describedEvents()).not.toContain('WORKFLOW_FAILED');
  });
});
