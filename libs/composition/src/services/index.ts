export { firstOrganisation } from './first-organisation.js';
export { startAggregatorsLab } from './aggregators-lab.js';
export { startProvidersLab } from './providers-lab.js';
export { migrateAll, serviceRunners, startAttesters } from './service-runners.js';
