export { oneOf, parseArguments, requiredFlag, textFlags, uuidArgument } from './arguments.js';
export { OperatorError, UsageError } from './operator-error.js';
export { operatorActor, type Output } from './output.js';
export { runCommand } from './run-command.js';
export { schemaOfService, withDatabase } from './with-database.js';
