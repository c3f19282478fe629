// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {BridgeRequest} from "../../contracts/types/BridgeRequest.sol";
import {Call, Leg} from "../../contracts/types/Declaration.sol";
import {Thief} from "../support/Actors.sol";
import {HookToken} from "../support/Tokens.sol";
import {Intruder} from "./Intruder.sol";
import {Payments} from "./Payments.sol";

/// @notice Routes that a hostile executor gives the Converter: sometimes an honest swap, surrounded by attempts to
/// divert funds.
abstract contract HostileCalls is Payments {
    uint256 internal constant NESTED = 1 << 255;

    function routeOf(Leg memory leg, address destination_, uint256 amount, uint256 seed)
        internal
        view
        returns (Call[] memory calls)
    {
        bool isTransfer = leg.inputToken == leg.outputToken;
        if (isTransfer && seed % 4 != 0) return calls;
        if (seed % 32 == 31) return calls;
        if (seed & NESTED != 0 && seed % 2 == 0) calls = one(address(intruder), striking(), 0);
        if (seed / 4 % 3 == 0) calls = joined(calls, hostility(leg, destination_, seed / 64));
        uint256 bought = leg.minOutput + (seed / 16 % 3 == 0 ? seed / 64 % 1e6 : leg.minOutput / 50);
        if (seed % 16 == 1) bought = leg.minOutput - seed / 64 % leg.minOutput;
        uint256 sold = seed % 8 == 5 ? amount / 2 : amount;
        if (leg.inputToken == address(taxed)) sold -= sold / 100;
        calls = joined(calls, swapping(leg.inputToken, sold, leg.outputToken, bought));
        if (seed / 8 % 3 == 0) calls = joined(calls, hostility(leg, destination_, seed / 128));
        if (seed & NESTED != 0 && seed % 2 == 1) calls = joined(calls, one(address(intruder), striking(), 0));
    }

    function hostility(Leg memory leg, address destination_, uint256 seed) private view returns (Call[] memory) {
        address token = seed % 2 == 0 ? leg.inputToken : leg.outputToken;
        uint256 kind = seed / 2 % 9;
        uint256 amount = seed / 16 % 2e6;
        address hooks = address(block.chainid == HERE ? hooked : hookedThere);
        if (kind == 0) return one(hooks, abi.encodeCall(HookToken.setSenderHook, (address(intruder))), 0);
        if (kind == 1) return one(hooks, abi.encodeCall(HookToken.setRecipientHook, (address(intruder))), 0);
        if (kind == 2) {
            bytes memory inner = abi.encodeCall(converter.convert, (leg, address(thief), noCalls()));
            return one(address(converter), inner, 0);
        }
        if (token == NATIVE) return one(address(thief), "", 0);
        if (kind == 3) return one(token, abi.encodeCall(IERC20.transfer, (destination_, amount)), 0);
        if (kind == 4) return one(token, abi.encodeCall(IERC20.transfer, (address(thief), amount)), 0);
        if (kind == 5) return one(token, abi.encodeCall(IERC20.approve, (address(escrow), amount)), 0);
        if (kind == 8) return opening(token, amount);
        bytes memory theft = abi.encodeCall(Thief.take, (IERC20(token), address(converter), amount));
        return joined(
            one(token, abi.encodeCall(IERC20.approve, (address(thief), type(uint256).max)), 0),
            kind == 6 ? one(address(thief), theft, 0) : noCalls()
        );
    }

    /// @dev Order opened by the converter with a wallet's input.
    function opening(address token, uint256 amount) private view returns (Call[] memory) {
        (uint256 end, address arriving) = block.chainid == HERE ? (THERE, address(remote)) : (HERE, address(output));
        BridgeRequest memory request = BridgeRequest(token, amount, end, arriving, 1, stranger.account);
        return joined(
            one(token, abi.encodeCall(IERC20.approve, (address(escrow), amount)), 0),
            one(address(escrow), abi.encodeCall(escrow.bridge, (request)), 0)
        );
    }

    function striking() private pure returns (bytes memory) {
        return abi.encodeCall(Intruder.strike, ());
    }
}
