export {
  type Address,
  addressColumns,
  addressHolds,
  freedAddress,
  hasAddress,
  isAddressedTo,
  isAddressedToConfirmed,
  isAddressedToUser,
  noAddress,
  whenAddressTaken,
  withoutAddress,
} from './addresses.queries.ts'
export { isConfirmationPending, pendingConfirmation } from './addresses.contract.ts'
