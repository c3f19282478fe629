import type { TopicDefinition } from '@bascule/contracts';
import { EventPattern } from '@nestjs/microservices';

interface ProjectionOptions {
  tables: readonly string[];
  /**
   * Revision of the code, from 2 on; increase it with each column whose value older code does not write. The tables are
   * built again, and rows that older replicas write meanwhile are found: see {@link upsertProjection}.
   */
  revision?: number;
}

/** Tables and revision of a projection's handler. */
interface ProjectionExtras {
  projectionTables: readonly string[];
  projectionRevision: number;
}

/** Revision of projections that declare none. */
export const FIRST_REVISION = 1;

/**
 * Marks a handler that only maintains projections of a topic, with {@link upsertProjection}; it may run again over the
 * whole topic. No other handler of the service may listen to the topic, and no other topic may feed the tables.
 *
 * @throws for a topic that is not compacted: a rebuild would remove rows whose events expired
 */
export const ProjectionPattern = (
  topic: TopicDefinition,
  { tables, revision = FIRST_REVISION }: ProjectionOptions,
): MethodDecorator => {
  if (topic.cleanup.policy !== 'compact') {
    throw new Error(`${topic.name} expires its events; projections need a compacted topic`);
  }
  const extras: ProjectionExtras = { projectionTables: tables, projectionRevision: revision };
  return EventPattern<string>(topic.name, { ...extras });
};

/** Tables of a projection's handler; undefined for other handlers. */
export function projectionTablesOf(handler: {
  extras?: Record<string, unknown>;
}): readonly string[] | undefined {
  const tables = handler.extras?.projectionTables;
  return Array.isArray(tables) ? tables.map(String) : undefined;
}

export function projectionRevisionOf(handler: { extras?: Record<string, unknown> }): number {
  const revision = handler.extras?.projectionRevision;
  return typeof revision === 'number' ? revision : FIRST_REVISION;
}
