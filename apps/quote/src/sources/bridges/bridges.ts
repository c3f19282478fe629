import type { Bridge } from '@bascule/venues';

/** The configured bridges, by their names. */
export type Bridges = ReadonlyMap<string, Bridge>;
export const BRIDGES = Symbol('BRIDGES');
