export { startStandInKms, type StandInKms } from './stand-in-kms.fixture.js';
export type { Misbehaviour } from './stand-in-key.fixture.js';
