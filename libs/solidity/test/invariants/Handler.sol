// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ActionRunner} from "../../contracts/ActionRunner.sol";
import {Outcome} from "../../contracts/interfaces/IFillOracle.sol";
import {OneTimeWallet} from "../../contracts/OneTimeWallet.sol";
import {BridgeRequest} from "../../contracts/types/BridgeRequest.sol";
import {Declaration, Leg} from "../../contracts/types/Declaration.sol";
import {Order, RefundInstruction} from "../../contracts/types/Order.sol";
import {ServiceAuthorization} from "../../contracts/types/ServiceAuthorization.sol";
import {Thief} from "../support/Actors.sol";
import {BurnableToken} from "../support/TokenMessenger.sol";
import {TestToken} from "../support/Tokens.sol";
import {InvariantChecks} from "./InvariantChecks.sol";

/// @notice Actions of all parties: users, a hostile executor, a hostile solver, one hostile attester of three, issuers
/// that block accounts, strangers that open orders and replay earlier submissions, and time. No action reverts; a
/// refused one has no effect.
contract Handler is InvariantChecks {
    uint256 private constant MAX_STRANGERS_ORDERS = 4;

    constructor() {
        setUpPayments();
        _now = block.timestamp;
        _endowed = address(market).balance;
        // A bridge, a conversion, custom calls, a payout, CCTP, a bridge in the other direction that ends in a token
        // with many decimals, and payouts of native currency and of a token with hooks.
        uint8[8] memory shapes = [3, 17, 22, 24, 7, 235, 16, 12];
        for (uint256 i = 0; i < shapes.length; i++) {
            create(shapes[i], 1e6, 1e5);
        }
        // Transfers of this token give the intruder control.
        address[3] memory hosts = [feeReceiver, home, solver];
        for (uint256 i = 0; i < hosts.length; i++) {
            vm.startPrank(hosts[i]);
            hooked.setRecipientHook(address(intruder));
            hooked.setSenderHook(address(intruder));
            hookedThere.setRecipientHook(address(intruder));
            hookedThere.setSenderHook(address(intruder));
            vm.stopPrank();
        }
    }

    // Users

    function makesPayment(uint256 shape, uint256 minimum, uint256 cap) external inPlay {
        if (payments.length >= MAX_PAYMENTS) return;
        chains.switchTo(HERE);
        create(shape % 100_000, _bound(minimum, 1, 1e9), _bound(cap, 0, 1e9));
    }

    function deposits(uint256 payment, uint256 chain, uint256 token, uint256 amount) external inPlay {
        _switch(chain);
        address payable wallet = payments[_payment(payment)].wallet;
        amount = _bound(amount, 1, 1e12);
        if (token % 8 == 0) _endow(wallet, NATIVE, amount);
        else if (token % 4 == 0) _endow(wallet, address(tokenOf(token / 8, block.chainid)), amount);
        else _deposit(_payment(payment), amount);
    }

    function ownerWithdraws(uint256 payment, uint256 chain, uint256 token, uint256 amount, uint256 wish)
        external
        inPlay
    {
        _switch(chain);
        uint256 index = _payment(payment);
        address wallet = payments[index].wallet;
        address currency = token % 5 == 4 ? NATIVE : address(tokenOf(token / 5, block.chainid));
        // Mostly the currency that the payment expects.
        if (token % 2 == 1) currency = declared(index).legs[0].inputToken;
        if (currency != NATIVE && !_isHere(currency)) return;
        uint256 held = currency == NATIVE ? wallet.balance : TestToken(currency).balanceOf(wallet);
        amount = _bound(amount, 0, held);
        address recipient = [home, destinations[1], wallet][wish % 3];
        bytes memory withdrawal = _authorize(index, currency, recipient, amount, wish % 2 == 0);
        if (wish % 5 == 0) return;
        // A hook that gives control submits it again during its execution.
        intruder.arm(wallet, withdrawal);
        _submit(index, withdrawal);
        intruder.arm(address(0), "");
    }

    /// @notice Takes a token that lies in the runner, which the owner may do at any time.
    function ownerEmptiesRunner(uint256 payment, uint256 chain, uint256 token) external inPlay {
        _switch(chain);
        uint256 index = _payment(payment);
        address runner = runners.deploy(payments[index].wallet);
        Leg memory leg = declared(index).legs[0];
        leg.outputToken = address(tokenOf(token, block.chainid));
        bytes memory withdrawal =
            _authorizeCall(index, runner, abi.encodeCall(ActionRunner.convert, (leg, home, noCalls())));
        if (token % 2 == 0) _endow(payable(runner), leg.outputToken, 1 + token % 1e9);
        uint256 held = TestToken(leg.outputToken).balanceOf(runner);
        if (_submit(index, withdrawal) && held != 0) effects["taken from a runner"]++;
    }

    function ownerTakesRefund(uint256 order, uint256 fee, uint256 way) external inPlay {
        if (orders.length == 0) return;
        Order memory taken = _order(order);
        chains.switchTo(taken.originChainId);
        if (way % 2 == 0) {
            fee = _bound(fee, 0, taken.inputAmount);
            RefundInstruction memory instruction = RefundInstruction(home, relayer, fee, block.timestamp + 30 minutes);
            // One in four has another signer, possibly another owner.
            uint256 key = _keyOf(taken.owner);
            if (way % 8 == 0) key = _otherKey(key, way / 8);
            else refundAuthorized[refundOf(idOf(taken), home, taken.inputAmount - fee, relayer, fee)] = true;
            bytes memory signature = refundSignature(taken, instruction, key);
            bytes memory data = abi.encodeCall(escrow.refund, (taken, instruction, signature));
            _texts.push(data);
            transact(relayer, address(escrow), data);
        } else {
            uint256 payment = paymentOf[taken.wallet];
            if (payment == 0) return;
            bytes memory data = abi.encodeCall(escrow.refundByWallet, (taken, taken.wallet));
            refundAuthorized[refundOf(idOf(taken), taken.wallet, taken.inputAmount, address(0), 0)] = true;
            _submit(payment - 1, _authorizeCall(payment - 1, address(escrow), data));
        }
    }

    // Issuers

    function issuerBlocks(uint256 whom, uint256 which, uint256 wish) external inPlay {
        address wallet = payments[_payment(whom)].wallet;
        address account = [feeReceiver, destinations[0], wallet, home, solver, home][which % 6];
        _setBlocked(account, wish % 4 != 0);
    }

    /// @notice Circle mints the burnt amount, less a fee, at anyone's request.
    function circleMints(uint256 message, uint256 fee) external inPlay {
        if (messages.length == 0) return;
        uint256 index = message % messages.length;
        Message memory minted = messages[index];
        if (minted.amount == 0) return;
        messages[index].amount = 0;
        BurnableToken token = minted.chainId == HERE ? burnable : burnableThere;
        token.mint(minted.wallet, minted.amount - _bound(fee, 0, minted.maxFee));
    }

    // The executor's stolen key

    function executes(uint256 payment, uint256 chain, uint256 amount, uint256 fee_, uint256 route) external inPlay {
        _switch(chain);
        uint256 index = _payment(payment);
        if (route / 32 % 2 == 0) _deposit(index, 2e9);
        bytes memory execution = _execution(index, amount, fee_, route);
        _executions.push(execution);
        transact(operator, address(executor), execution);
    }

    function executesWithinAnother(uint256 outer, uint256 inner, uint256 chain, uint256 amount, uint256 route)
        external
        inPlay
    {
        _switch(chain);
        _deposit(_payment(outer), 2e9);
        _deposit(_payment(inner), 2e9);
        // Half of the balance, so that the same leg could be executed twice.
        if (inner / 8 % 4 == 3) (inner, amount) = (outer, amount - amount % 8);
        _arm(inner, amount, route);
        // Tokens and custom calls may give control where the route does not.
        bytes memory execution = _execution(_payment(outer), amount, amount, route % 3 == 0 ? route | NESTED : route);
        _executions.push(execution);
        uint256 strikes = intruder.strikes(address(vault));
        transact(operator, address(executor), execution);
        effects["nested in custom calls"] += intruder.strikes(address(vault)) - strikes;
        intruder.arm(address(0), "");
    }

    function executesAgain(uint256 execution, uint256 chain) external inPlay {
        if (_executions.length == 0) return;
        _switch(chain);
        transact(operator, address(executor), _executions[execution % _executions.length]);
    }

    // Strangers

    function strangerSubmitsAgain(uint256 authorization, uint256 chain, uint256 other) external inPlay {
        if (authorized.length == 0) return;
        _switch(chain);
        Authorized storage entry = authorized[authorization % authorized.length];
        uint256 target = other % 4 == 0 ? _payment(other) : entry.payment;
        _submit(target, entry.data);
    }

    function strangerForges(uint256 payment, uint256 chain, uint256 amount, uint256 key) external inPlay {
        _switch(chain);
        uint256 index = _payment(payment);
        Declaration memory declaration = declared(index);
        address token = address(tokenOf(amount, block.chainid));
        ServiceAuthorization memory authorization =
            authorizing(declaration, sending(token, relayer, _bound(amount, 0, 1e12)));
        authorization.nonce = nonceOf(block.timestamp + 1 hours, uint128(amount));
        bytes memory signature = signed(authorization, _otherKey(payments[index].ownerKey, key));
        _submit(index, abi.encodeCall(OneTimeWallet.withdraw, (declaration, authorization, signature)));
    }

    function strangerTakes(uint256 token, uint256 amount, uint256 from) external inPlay {
        address wallet = payments[_payment(from)].wallet;
        address runner = runners.predict(wallet);
        address victim = [address(converter), wallet, address(escrow), address(cctp), runner][from / 8 % 5];
        bytes memory theft = abi.encodeCall(Thief.take, (tokenOf(token, block.chainid), victim, _bound(amount, 1, 1e9)));
        transact(relayer, address(thief), theft);
    }

    /// @notice Sends funds to a runner that may not exist yet, or whose run is over.
    function strangerFundsRunner(uint256 payment, uint256 chain, uint256 token, uint256 amount) external inPlay {
        _switch(chain);
        address payable runner = payable(runners.predict(payments[_payment(payment)].wallet));
        _endow(runner, token % 5 == 4 ? NATIVE : address(tokenOf(token / 5, block.chainid)), _bound(amount, 1, 1e12));
    }

    /// @notice Opens an order with the stranger's own funds, naming any owner.
    function strangerOpensOrder(uint256 amount, uint256 minimum, uint256 name, uint256 chain) external inPlay {
        _switch(chain);
        (address token, uint256 end) = block.chainid == HERE ? (address(output), THERE) : (address(remote), HERE);
        if (orders.length >= MAX_STRANGERS_ORDERS) return;
        address owner_ = name % 4 == 0 ? owners[name / 4 % owners.length].account : stranger.account;
        address arriving = address(tokenOf(name / 16, end));
        BridgeRequest memory request =
            BridgeRequest(token, _bound(amount, 1, 1e9), end, arriving, _bound(minimum, 1, 1e9), owner_);
        transact(stranger.account, address(escrow), abi.encodeCall(escrow.bridge, (request)));
    }

    // The bridge

    function solverFills(uint256 order, uint256 chain, uint256 amount, uint256 wish) external inPlay {
        if (orders.length == 0) return;
        Order memory filled = _order(order);
        if (wish % 8 == 0) _switch(chain);
        else chains.switchTo(filled.destinationChainId);
        amount = _bound(amount, wish % 4 == 0 ? 0 : filled.minimum, filled.minimum * 2);
        if (wish % 16 == 1) filled.minimum = 0;
        bytes memory data = abi.encodeCall(escrow.fill, (filled, amount, solver));
        intruder.arm(address(escrow), data);
        transact(solver, address(escrow), data);
        intruder.arm(address(0), "");
    }

    function attestersTell(uint256 order) external inPlay {
        if (orders.length == 0) return;
        _tell(_order(order));
    }

    function hostileAttesterLies(uint256 order, uint256 lie, uint256 way) external inPlay {
        if (orders.length == 0) return;
        _switch(way);
        bytes32 id = idOf(_order(order));
        (Outcome outcome, address filler) =
            lie % 2 == 0 ? (Outcome.Filled, address(thief)) : (Outcome.Unfilled, address(0));
        bytes[] memory list = new bytes[](1 + way % 3);
        for (uint256 i = 0; i < list.length; i++) {
            list[i] = attestation(id, outcome, filler, way % 5 == 0 && i > 0 ? ownerKey : attesterKeys[2]);
        }
        bytes memory data = abi.encodeCall(oracle.attest, (id, outcome, filler, list));
        repeats(transact(address(thief), address(oracle), data), "a lie of too few attesters");
    }

    function anyoneReleases(uint256 order, uint256 chain) external inPlay {
        if (orders.length == 0) return;
        Order memory released = _order(order);
        chains.switchTo(chain % 4 == 0 ? released.destinationChainId : released.originChainId);
        transact(relayer, address(escrow), abi.encodeCall(escrow.release, (released)));
    }

    /// @notice Refunds any order to its wallet, at any time, and tries it once more from within the transfer.
    function anyoneRefundsToWallet(uint256 order, uint256 chain) external inPlay {
        if (orders.length == 0) return;
        Order memory refunded = _order(order);
        chains.switchTo(chain % 8 == 0 ? refunded.destinationChainId : refunded.originChainId);
        bytes memory data = abi.encodeCall(escrow.refundToWallet, (refunded));
        intruder.arm(address(escrow), data);
        transact(address(thief), address(escrow), data);
        intruder.arm(address(0), "");
    }

    function strangerRefundsAgain(uint256 text, uint256 chain) external inPlay {
        if (_texts.length == 0) return;
        _switch(chain);
        transact(address(thief), address(escrow), _texts[text % _texts.length]);
    }

    // Time

    function timePasses(uint256 seconds_) external inPlay {
        _now += _bound(seconds_, 1, seconds_ % 8 == 0 ? 12 hours : 20 minutes);
    }
}
