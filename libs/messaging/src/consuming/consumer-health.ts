import type { HealthChecks, HealthResult } from '@bascule/process';
import type { Subscription } from '../transport/transport.js';

const SILENT_MS = 30_000;

/** Ready once the group has caught up with what was there at the start; live while records are being asked for. */
export async function registerConsumerHealth(
  health: HealthChecks,
  subscription: Subscription,
  isDatabaseReachable: () => Promise<boolean>,
): Promise<void> {
  const targets = new Map(
    (await subscription.progress()).map((p) => [`${p.topic}/${p.partition}`, p.end]),
  );
  let caughtUp = false;
  health.ready('events', async (): Promise<HealthResult> => {
    if (!caughtUp) {
      caughtUp = (await subscription.progress()).every(
        (p) => p.committed >= (targets.get(`${p.topic}/${p.partition}`) ?? 0n),
      );
    }
    return caughtUp || 'catching up with events';
  });
  const startedAt = Date.now();
  health.live('consumer', async (): Promise<HealthResult> => {
    const { assigned, fetchedAt } = subscription.state();
    if (!assigned || Date.now() - (fetchedAt ?? startedAt) < SILENT_MS) return true;
    return (await isDatabaseReachable()) ? 'no records were asked for lately' : true;
  });
}
