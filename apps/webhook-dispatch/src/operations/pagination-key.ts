import { isExistingTime } from '@bascule/contracts';

/** Position after a page: the time, to the microsecond, and the id of its last delivery. */
export interface PagePosition {
  id: string;
  createdAt: string;
}

const KEY =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z)$/;

export const paginationKey = ({ id, createdAt }: PagePosition): string => `${id}_${createdAt}`;

/** Null for a malformed key. */
export function parsePaginationKey(text: string): PagePosition | null {
  const [, id, createdAt] = KEY.exec(text) ?? [];
  if (id === undefined || createdAt === undefined || !isExistingTime(createdAt)) return null;
  return { id, createdAt };
}
