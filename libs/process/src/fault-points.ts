import { existsSync } from 'node:fs';

/** Named points at which a test build can kill its own process. */
export const FAULT_POINTS = [
  'payment.confirmed',
  'payment.deposit-seen',
  'payment.sender-screened',
  'payment.funded',
  'payment.leg-planned',
  'transactions.reserved',
  'transactions.signed',
  'transactions.recorded',
  'transactions.broadcast',
  'payment.leg-settled',
  'payment.leg-bridged',
  'payment.leg-filled',
  'payment.refund-planned',
  'payment.completed',
  'withdrawal.authorised',
  'withdrawal.submitted',
  'withdrawal.settled',
  'solver.order-seen',
  'solver.fill-recorded',
  'solver.fill-settled',
  'solver.claim-recorded',
  'solver.claim-settled',
  'idempotency.stored',
  'outbox.published',
  'outbox.deleted',
  'messaging.handled',
  'messaging.committed',
  'webhook.registered',
  'webhook.enqueued',
  'webhook.claimed',
  'webhook.sent',
  'webhook.finished',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

const { point, passes, from } = armedFault(process.env);
let passed = 0;

/** Takes each pass of a fault point; a test sets it to interrupt code in its own process. */
let interceptor: ((point: FaultPoint) => void) | undefined;

export function interceptFaultPoints(intercept: typeof interceptor): void {
  interceptor = intercept;
}

/**
 * Kills the process at this point with `FAULT_POINTS_ARMED=1` and `FAULT_POINT=name` (or `name:N` for the N-th pass).
 * With `FAULT_POINT_FROM=path`, passes count once that file exists, so that a test decides when to start.
 */
export function faultPoint(name: FaultPoint): void {
  interceptor?.(name);
  if (name !== point) return;
  if (from !== undefined && !existsSync(from)) return;
  passed += 1;
  if (passed === passes) process.kill(process.pid, 'SIGKILL');
}

interface ArmedFault {
  point: string;
  passes: number;
  from?: string | undefined;
}

function armedFault(env: NodeJS.ProcessEnv): ArmedFault {
  if (env.FAULT_POINTS_ARMED !== '1') return { point: '', passes: 0 };
  const [name = '', count = '1'] = (env.FAULT_POINT ?? '').split(':');
  return { point: name, passes: Number(count), from: env.FAULT_POINT_FROM };
}
