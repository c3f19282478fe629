// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ActionRunner} from "../../contracts/ActionRunner.sol";
import {Outcome} from "../../contracts/interfaces/IFillOracle.sol";
import {OneTimeWallet} from "../../contracts/OneTimeWallet.sol";
import {IOneTimeWallet} from "../../contracts/interfaces/IOneTimeWallet.sol";
import {Call, Declaration, Leg} from "../../contracts/types/Declaration.sol";
import {Order} from "../../contracts/types/Order.sol";
import {ServiceAuthorization} from "../../contracts/types/ServiceAuthorization.sol";
import {TestToken} from "../support/Tokens.sol";
import {HostileCalls} from "./HostileCalls.sol";
import {Ledger} from "./Ledger.sol";

/// @notice Signing, encoding and submission of calls.
abstract contract Submissions is Ledger, HostileCalls {
    bytes[] internal _executions;
    bytes[] internal _texts;
    uint256 internal _now;
    /// @dev Sum of native currency on both chains.
    uint256 internal _endowed;
    /// @notice Digest of all calls so far, by which each check chooses what it looks at.
    uint256 public digest;

    /// @dev Restores chain id and time, which forge resets after each call.
    modifier inPlay() {
        digest = uint256(keccak256(abi.encode(digest, msg.data)));
        vm.warp(_now);
        chains.switchTo(chains.current());
        _;
    }

    /// @dev The two honest attesters of three report the outcome on the other chain.
    function _tell(Order memory told) internal {
        chains.switchTo(told.destinationChainId);
        bytes32 id = idOf(told);
        address filler = escrow.fillerOf(id);
        bool isKnown = filler != address(0) || block.timestamp > told.fillDeadline;
        chains.switchTo(told.originChainId);
        if (!isKnown) return;
        Outcome outcome = filler == address(0) ? Outcome.Unfilled : Outcome.Filled;
        bytes[] memory list = signatures(id, outcome, filler, 2);
        transact(relayer, address(oracle), abi.encodeCall(oracle.attest, (id, outcome, filler, list)));
    }

    /// @dev Arms the intruder with a leg or with an earlier submission.
    function _arm(uint256 inner, uint256 amount, uint256 route) internal {
        uint256 kind = inner / 8 % 4;
        if (kind == 1 && authorized.length != 0) {
            Authorized storage entry = authorized[amount % authorized.length];
            intruder.arm(payments[entry.payment].wallet, entry.data);
        } else if (kind == 2 && _texts.length != 0) {
            intruder.arm(address(escrow), _texts[amount % _texts.length]);
        } else if (kind == 0 && route % 4 == 0) {
            Payment storage victim = payments[_payment(inner)];
            Leg[] memory legs = declared(_payment(inner)).legs;
            bytes memory theft =
                abi.encodeCall(ActionRunner.convert, (legs[legs.length - 1], address(thief), noCalls()));
            intruder.arm(runners.deploy(victim.wallet), theft);
        } else {
            intruder.arm(address(executor), _execution(_payment(inner), amount, 0, route));
        }
    }

    /// @dev Key of an attester or another owner.
    function _otherKey(uint256 key, uint256 seed) internal view returns (uint256) {
        if (seed % 2 == 0) return attesterKeys[seed / 2 % 3];
        uint256 other = owners[seed / 2 % owners.length].key;
        return other == key ? stranger.key : other;
    }

    function _keyOf(address account) internal view returns (uint256) {
        for (uint256 i = 0; i < owners.length; i++) {
            if (owners[i].account == account) return owners[i].key;
        }
        return stranger.key;
    }

    function _setBlocked(address account, bool isBlocked) internal {
        if (isBlocked) {
            blocking.blockAccount(account);
            blockingThere.blockAccount(account);
            refusing.refuse(account);
        } else {
            blocking.freeAccount(account);
            blockingThere.freeAccount(account);
            refusing.accept(account);
        }
    }

    function _isHere(address token) internal view returns (bool) {
        for (uint256 i = 0; i < tokenCount(block.chainid); i++) {
            if (address(tokenOf(i, block.chainid)) == token) return true;
        }
        return false;
    }

    /// @dev Submission by anyone, who deploys the wallet first.
    function _submit(uint256 payment, bytes memory withdrawal) internal returns (bool success) {
        factoryOf(declared(payment)).deploy(payments[payment].hash);
        success = transact(relayer, payments[payment].wallet, withdrawal);
    }

    function _authorize(uint256 payment, address token, address recipient, uint256 amount, bool blame)
        internal
        returns (bytes memory)
    {
        return _sign(payment, sending(token, recipient, amount), token, recipient, amount, blame);
    }

    function _authorizeCall(uint256 payment, address target, bytes memory data) internal returns (bytes memory) {
        return _sign(payment, one(target, data, 0), address(1), target, 0, false);
    }

    function _sign(uint256 payment, Call[] memory actions, address token, address recipient, uint256 amount, bool blame)
        private
        returns (bytes memory data)
    {
        Declaration memory declaration = declared(payment);
        ServiceAuthorization memory authorization = authorizing(declaration, actions);
        authorization.nonce = nonceOf(block.timestamp + 30 minutes, uint128(authorized.length + 1));
        authorization.accept_blame = blame;
        bytes memory signature = signed(authorization, payments[payment].ownerKey);
        data = abi.encodeCall(OneTimeWallet.withdraw, (declaration, authorization, signature));
        authorized.push(Authorized(payment, block.chainid, token, recipient, amount, blame, false, data));
        authorizedBy[authorization.nonce] = authorized.length;
    }

    function _execution(uint256 payment, uint256 amount, uint256 fee_, uint256 route)
        internal
        view
        returns (bytes memory)
    {
        Declaration memory declaration = declared(payment);
        uint256 index = legHere(declaration);
        Leg memory leg = declaration.legs[index];
        uint256[] memory fees = _fees(leg, fee_);
        amount = _amount(leg, payments[payment].wallet, amount, fees);
        Call[] memory calls = routeOf(leg, declaration.destination, amount, route);
        bytes memory execution = abi.encodeCall(IOneTimeWallet.execute, (declaration, index, amount, fees, calls));
        return abi.encodeCall(executor.deployAndExecute, (factoryOf(declaration), payments[payment].hash, execution));
    }

    function _fees(Leg memory leg, uint256 seed) private pure returns (uint256[] memory fees) {
        fees = new uint256[](leg.fees.length);
        for (uint256 i = 0; i < fees.length; i++) {
            fees[i] = _bound(seed, 0, leg.fees[i].cap + (seed % 16 == 0 ? 1 : 0));
        }
    }

    /// @dev Mostly the whole balance.
    function _amount(Leg memory leg, address wallet, uint256 seed, uint256[] memory fees)
        private
        view
        returns (uint256 amount)
    {
        amount = leg.inputToken == NATIVE ? wallet.balance : IERC20(leg.inputToken).balanceOf(wallet);
        for (uint256 i = 0; i < fees.length; i++) {
            amount -= fees[i] < amount ? fees[i] : amount;
        }
        if (seed % 8 == 0) amount = _bound(seed, 0, amount);
    }

    function _payment(uint256 seed) internal view returns (uint256) {
        return seed % payments.length;
    }

    function _order(uint256 seed) internal view returns (Order memory) {
        return abi.decode(orders[seed % orders.length], (Order));
    }

    function _switch(uint256 seed) internal {
        chains.switchTo(seed % 3 == 0 ? THERE : HERE);
    }

    /// @dev Deposits the token that the payment expects on this chain.
    function _deposit(uint256 payment, uint256 amount) internal {
        Declaration memory declaration = declared(payment);
        Leg memory leg = declaration.legs[legHere(declaration)];
        address token = leg.chainId == block.chainid ? leg.inputToken : address(tokenOf(amount, block.chainid));
        _endow(payments[payment].wallet, token, amount * unitOf(token));
    }

    function _endow(address payable wallet, address token, uint256 amount) internal {
        if (token == NATIVE) {
            vm.deal(wallet, wallet.balance + amount);
            _endowed += amount;
            return;
        }
        // A blocked wallet receives nothing either.
        try TestToken(token).mint(wallet, amount) {} catch {}
    }
}
