interface Settings {
  brokers: string[];
  topic: string;
  group: string;
}

/** When each event was handled, in milliseconds by the clock of the machine. */
export interface Handled {
  at: Map<string, number>;
}

export function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const { KAFKA_BROKERS = '', TOPIC = '', GROUP = '' } = env;
  return { brokers: KAFKA_BROKERS.split(','), topic: TOPIC, group: GROUP };
}

const workMs = Number(process.env['WORK_MS']);
const at = new Map<string, number>();
let tell: () => void = () => undefined;

/** Key whose events are never finished. */
export const STUCK_KEY = 'stuck';

/** Handles an event as both servers do: it waits. */
export async function handled({ id, subject }: { id: string; subject: string }): Promise<void> {
  if (subject === STUCK_KEY) await new Promise(() => undefined);
  if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs));
  at.set(id, performance.timeOrigin + performance.now());
  tell();
}

/** Answers when so many events were handled since the start. */
export async function whenHandled(message: object): Promise<Handled> {
  const { events } = message as { events: number };
  await new Promise<void>((resolve) => {
    tell = () => {
      if (at.size >= events) resolve();
    };
    tell();
  });
  return { at };
}
