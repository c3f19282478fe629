// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Order, RefundInstruction} from "../types/Order.sol";

/// @notice Text that an owner signs to take a refund; it states only effects of the escrow.
library RefundText {
    using Strings for address;
    using Strings for uint256;

    /// @param id Id of the order.
    /// @return Text that a wallet shows its owner. Amounts are in the token's smallest unit.
    function write(Order calldata order, RefundInstruction calldata instruction, bytes32 id, address escrow)
        internal
        pure
        returns (string memory)
    {
        string memory order_ = string.concat(
            "Refund an order from the intent escrow\n\nChain: ",
            order.originChainId.toString(),
            "\nEscrow: ",
            escrow.toChecksumHexString(),
            "\nOrder: ",
            uint256(id).toHexString(32),
            "\nToken: ",
            order.inputToken.toChecksumHexString(),
            "\nAmount: ",
            order.inputAmount.toString()
        );
        return string.concat(
            order_,
            "\nRecipient: ",
            instruction.recipient.toChecksumHexString(),
            "\nFee, taken from the amount: ",
            instruction.fee.toString(),
            "\nFee receiver: ",
            instruction.feeReceiver.toChecksumHexString(),
            "\nValid until: ",
            instruction.validUntil.toString()
        );
    }
}
