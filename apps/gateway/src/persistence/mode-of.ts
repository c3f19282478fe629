import type { KeyMode } from '@bascule/contracts';

/** Mode of an organisation's keys, by the organisation that it is the test organisation of. */
export const modeOf = (liveOrganisationId: string | null): KeyMode =>
  liveOrganisationId === null ? 'live' : 'test';
