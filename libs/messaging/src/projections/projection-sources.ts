import type { MessageHandler } from '@nestjs/microservices';
import { projectionRevisionOf, projectionTablesOf } from './projection-pattern.js';

/** Topic with the tables projected from it. */
export interface ProjectionSource {
  topic: string;
  tables: readonly string[];
  revision: number;
}

/** @throws when the declared projections could not be rebuilt */
export function projectionSources(
  handlers: ReadonlyMap<string, MessageHandler>,
): ProjectionSource[] {
  const sources: ProjectionSource[] = [];
  for (const [topic, first] of handlers) {
    const tables = chain(first).map((handler) => projectionTablesOf(handler));
    const kept = tables.filter((each) => each !== undefined).flat();
    if (kept.length === 0) continue;
    if (tables.includes(undefined)) {
      throw new Error(
        `${topic} has a projection and another handler: a rebuild would repeat its effect`,
      );
    }
    const revision = Math.max(...chain(first).map(projectionRevisionOf));
    sources.push({ topic, tables: [...new Set(kept)].sort(), revision });
  }
  refuseSharedTables(sources);
  return sources;
}

/** Lists the handlers of one topic, which Nest links by `next`. */
function chain(first: MessageHandler): MessageHandler[] {
  const all: MessageHandler[] = [];
  for (let handler: MessageHandler | undefined = first; handler; handler = handler.next) {
    all.push(handler);
  }
  return all;
}

function refuseSharedTables(sources: readonly ProjectionSource[]): void {
  const all = sources.flatMap(({ tables }) => tables);
  const shared = all.find((table, index) => all.indexOf(table) !== index);
  if (shared !== undefined) {
    throw new Error(
      `${shared} is fed by two topics: a rebuild of one would remove the other's rows`,
    );
  }
}
