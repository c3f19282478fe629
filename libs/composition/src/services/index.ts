export { firstOrganisation } from './first-organisation.js';
export { members, migrateAll } from './members.js';
